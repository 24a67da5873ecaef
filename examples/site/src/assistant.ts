/** How old an answer may be: a switch in the admin shows on the site after this. */
const CHECK_EVERY_MS = 15_000

/**
 * Whether the CMS offers its visitor assistant. No page waits for it: each shows what is known, and a CMS that is away
 * takes the bubble away, not the page.
 */
export const watchAssistant = (isOffered: () => Promise<boolean>, now: () => number = Date.now): (() => boolean) => {
  let isOn = false
  let checkedAt = Number.NEGATIVE_INFINITY
  const check = async (): Promise<void> => {
    isOn = await isOffered().catch(() => false)
  }
  return () => {
    if (now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now()
      void check()
    }
    return isOn
  }
}

/** Below the address of the CMS. */
const WIDGET_PATH = '/ext/assistant/widget.js'
const ASK_PATH = '/ext/assistant/public-ask'

export const widgetUrl = (cms: string): string => `${cms.replace(/\/+$/, '')}${WIDGET_PATH}`

/** What the policy of a page with the bubble allows besides. */
export const widgetPolicy = (cms: string): string =>
  `; script-src ${widgetUrl(cms)}; connect-src ${cms.replace(/\/+$/, '')}${ASK_PATH}`
