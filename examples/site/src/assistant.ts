import { setTimeout } from 'node:timers/promises'

/** How old an answer may be. */
const CHECK_EVERY_MS = 5_000
/** The CMS is in the same process; one that is slow takes the bubble away, not the page. */
const PATIENCE_MS = 250

/** Whether the CMS offers its visitor assistant, so that the first page after the switch in the admin has its bubble. */
export const watchAssistant = (
  isOffered: () => Promise<boolean>,
  now: () => number = Date.now,
): (() => Promise<boolean>) => {
  let isOn = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  const check = async (): Promise<void> => {
    isOn = await isOffered().catch(() => false)
    checking = undefined
  }
  return async () => {
    if (!checking && now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now()
      checking = check()
    }
    if (checking) await Promise.race([checking, setTimeout(PATIENCE_MS, undefined, { ref: false })])
    return isOn
  }
}

/** Below the address of the CMS. */
const WIDGET_PATH = '/ext/assistant/widget.js'
const ASK_PATH = '/ext/assistant/public-ask'

export const widgetUrl = (cms: string): string => `${cms.replace(/\/+$/, '')}${WIDGET_PATH}`

/** Additions to the content security policy of a page with the bubble. */
export const widgetPolicy = (cms: string): string =>
  `; script-src ${widgetUrl(cms)}; connect-src ${cms.replace(/\/+$/, '')}${ASK_PATH}`
