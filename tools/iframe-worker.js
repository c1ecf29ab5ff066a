// Search in pages opened from a folder, where browsers run no workers: the worker's script runs in a hidden frame.
// tools/site.py copies this file to the site, which would load a similar one from a network otherwise.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frameWindow = frame.contentWindow;
      this.frameWindow.postMessage = (data) => this.deliver(this, data);
      this.frameWindow.importScripts = (...urls) => Promise.all(urls.map((url) => this.load(url)));
      this.ready = this.load(url);
      this.ready.catch(() => this.onerror?.(new Event("error", { cancelable: true })));
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frameWindow.document.createElement("script");
        script.src = new URL(url, location.href);
        script.onload = resolve;
        script.onerror = reject;
        this.frameWindow.document.body.append(script);
      });
    }

    deliver(target, data) {
      const event = new MessageEvent("message", { data: structuredClone(data) }); // workers receive copies
      target.dispatchEvent(event);
      if (target === this && this.onmessage) this.onmessage(event);
    }

    postMessage(data) {
      this.ready.then(() => this.deliver(this.frameWindow, data));
    }

    terminate() {
      this.frameWindow.frameElement.remove();
    }
  };
}
