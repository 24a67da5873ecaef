import { failMember } from '../../errors.ts'

/** The pages that the provider sends people back to; `checkout` names the checkout that they come from. */
export type ReturnUrls = { successUrl: string; cancelUrl: string }

type Given = { success_url?: string | null | undefined; cancel_url?: string | null | undefined }

/** Where the panel shows the result of a checkout; `query` says what the checkout was for. */
const SUCCESS_PATH = '/billing/return'
const CANCEL_PATH = '/billing'

/** The addresses that were asked for, or those of the panel. Others than of this panel are refused. */
export const readReturnUrls = (publicUrl: string, { success_url, cancel_url }: Given, query = ''): ReturnUrls => ({
  successUrl: readOwnUrl(publicUrl, 'success_url', success_url ?? `${publicUrl}${SUCCESS_PATH}${query}`),
  cancelUrl: readOwnUrl(publicUrl, 'cancel_url', cancel_url ?? `${publicUrl}${CANCEL_PATH}`),
})

/** With our own id of the checkout. */
export const withCheckout = ({ successUrl, cancelUrl }: ReturnUrls, id: string): ReturnUrls => ({
  successUrl: addCheckout(successUrl, id),
  cancelUrl: addCheckout(cancelUrl, id),
})

/** Programs disagree about these, so that the provider could read another host than we do. */
const AMBIGUOUS = /[\\\s\p{Cc}]/u

const readOwnUrl = (publicUrl: string, member: keyof Given, given: string): string => {
  const url = AMBIGUOUS.test(given) ? null : URL.parse(given)
  const { origin, protocol } = new URL(publicUrl)
  // A blob: URL has the origin of the page that made it.
  const isOwn = url?.origin === origin && url.protocol === protocol && url.username === '' && url.password === ''
  if (!url || !isOwn) return failMember(member, `must be a URL that starts with ${origin}/`)
  return url.href
}

const addCheckout = (address: string, id: string): string => {
  const url = new URL(address)
  url.searchParams.set('checkout', id)
  // The provider would put its own id in place of {CHECKOUT_SESSION_ID}.
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D')
}
