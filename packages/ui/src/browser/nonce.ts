declare global {
  // get-nonce, used by Radix's scroll lock for its <style>, reads this global
  var __webpack_nonce__: string | undefined
}

/** The nonce that the server wrote into the page for styles added at run time. */
export const cspNonce = (): string | undefined =>
  document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') || undefined

/** Gives the page's nonce to libraries that add a <style>; called once before the first render. */
export const installNonce = (): void => {
  globalThis.__webpack_nonce__ = cspNonce()
}
