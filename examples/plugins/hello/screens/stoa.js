/** A request that was refused: `status` and `code` say how, the message is for people. */
var RequestError = class extends Error {
	status;
	code;
	details;
	constructor({ status, code, message, details }) {
		super(message);
		this.name = "RequestError";
		this.status = status;
		this.code = code;
		this.details = details;
	}
};
/** The admin stops a frame that sends too much: a height that keeps changing is sent at most ten times a second. */
const HEIGHT_INTERVAL_MS = 100;
/** Greets the admin and waits for its answer. Once per document; the frame's theme, language and height follow by themselves. */
const connect = () => {
	if (window.parent === window) return Promise.reject(/* @__PURE__ */ new Error("This screen only works inside the admin"));
	return new Promise((resolve) => {
		const onMessage = ({ source, data, ports: [port] }) => {
			if (source !== window.parent || data?.stoa !== "welcome" || !port) return;
			window.removeEventListener("message", onMessage);
			const bridge = openBridge(port, data.context);
			applyContext(bridge.context);
			bridge.onContext(applyContext);
			followHeight(port);
			resolve(bridge);
		};
		window.addEventListener("message", onMessage);
		window.parent.postMessage({
			stoa: "hello",
			protocol: 1
		}, "*");
	});
};
/** The bridge at the frame's end of the channel. */
const openBridge = (port, first) => {
	let context = first;
	let lastId = 0;
	const waiting = /* @__PURE__ */ new Map();
	const listeners = /* @__PURE__ */ new Set();
	port.onmessage = ({ data }) => {
		if ("tell" in data) {
			context = data.context;
			for (const listener of listeners) listener(context);
			return;
		}
		const asked = waiting.get(data.answer);
		waiting.delete(data.answer);
		if ("error" in data) asked?.reject(new RequestError(data.error));
		else asked?.resolve(data.value);
	};
	const ask = (question) => new Promise((resolve, reject) => {
		const id = ++lastId;
		port.postMessage({
			...question,
			id
		});
		waiting.set(id, {
			resolve,
			reject
		});
	});
	return {
		get context() {
			return context;
		},
		onContext: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		request: (method, path, body) => ask({
			ask: "request",
			method,
			path,
			...body !== void 0 && { body }
		}),
		toast: (text, kind) => ask({
			ask: "toast",
			text,
			...kind && { kind }
		}),
		navigate: (to) => ask({
			ask: "navigate",
			to
		}),
		pickMedia: (kind) => ask({
			ask: "pickMedia",
			...kind && { kind }
		}),
		pickEntry: (types) => ask({
			ask: "pickEntry",
			...types && { types }
		}),
		confirm: (question) => ask({
			ask: "confirm",
			...question
		})
	};
};
const applyContext = ({ theme, locale, entry }) => {
	const root = document.documentElement;
	root.dataset.theme = theme;
	root.dataset.place = entry === null ? "screen" : "panel";
	root.lang = locale;
};
/** Sends the height that the body needs, now and whenever it changes. */
const followHeight = (port) => {
	let sent = 0;
	let isDue = false;
	const send = () => {
		isDue = false;
		const { marginTop, marginBottom } = getComputedStyle(document.body);
		const margins = (Number.parseFloat(marginTop) || 0) + (Number.parseFloat(marginBottom) || 0);
		const height = Math.ceil(document.body.getBoundingClientRect().height + margins);
		if (height === sent) return;
		sent = height;
		port.postMessage({
			tell: "height",
			height
		});
	};
	const later = () => {
		if (isDue) return;
		isDue = true;
		setTimeout(send, HEIGHT_INTERVAL_MS);
	};
	send();
	new ResizeObserver(later).observe(document.body);
};
export { RequestError, connect, openBridge };
