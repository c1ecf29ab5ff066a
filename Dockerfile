# geceval as a command, without root:
#   docker build -t geceval . && docker run --rm -v "$PWD:/data" --user "$(id -u)" geceval score -s source.txt -r ref.txt -c sys.txt
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends curl gcc libc6-dev \
    && curl --proto '=https' -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --default-toolchain stable
COPY . /geceval
RUN PATH="/root/.cargo/bin:$PATH" pip wheel --no-cache-dir --no-deps --wheel-dir /dist /geceval

FROM python:3.13-slim
COPY --from=build /dist /dist
RUN pip install --no-cache-dir "$(echo /dist/*.whl)[report,arrow,office,stats]" \
    && useradd --create-home geceval
USER geceval
WORKDIR /data
ENTRYPOINT ["geceval"]
CMD ["--help"]
