// Search in pages that are read from a folder: there browsers run no workers, so the worker's script runs in a hidden frame.
// tools/site.py lays it beside the pages; without it the site would load one like it from a network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.say(this, data);
      this.inside.importScripts = (...urls) => Promise.all(urls.map((one) => this.load(one)));
      this.ready = this.load(url);
      this.ready.catch(() => this.onerror?.(new Event("error", { cancelable: true })));
    }

    load(url) {
      return new Promise((done, failed) => {
        const script = this.inside.document.createElement("script");
        script.src = new URL(url, location.href);
        script.onload = done;
        script.onerror = failed;
        this.inside.document.body.append(script);
      });
    }

    say(target, data) {
      const event = new MessageEvent("message", { data: structuredClone(data) }); // as workers get it
      target.dispatchEvent(event);
      if (target === this && this.onmessage) this.onmessage(event);
    }

    postMessage(data) {
      this.ready.then(() => this.say(this.inside, data));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
