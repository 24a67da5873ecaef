import type { FailureReason, RefusalReason } from '@stoa/kit/egress/errors.ts'
import { fail } from '../../errors.ts'

/** Why there is no page. */
export type Failure =
  | { reason: 'status'; status: number }
  | { reason: 'type'; type: string }
  | { reason: 'redirect'; from: string; to: string | null }
  | { reason: RefusalReason | FailureReason; cause: unknown }

type Asked = { url: string; timeoutMs: number; allowPrivate: boolean }

/** Explains to the person who waits for a page what is wrong with it, so that the website's operator can fix it. */
export const failurePage = (failure: Failure, asked: Asked): never => {
  const { name, message } = describe(failure, asked)
  return fail('PREVIEW_UNREACHABLE', {
    message,
    details: { reason: name, ...('status' in failure && { status: failure.status }) },
    ...('cause' in failure && { cause: failure.cause }),
  })
}

/** The code for programs; one for everything that would reveal what is inside a network. */
type Name =
  | 'unreachable'
  | 'status'
  | 'type'
  | 'redirect'
  | 'too_large'
  | 'timeout'
  | 'certificate'
  | 'answer'
  | 'address'

const describe = (failure: Failure, { url, timeoutMs, allowPrivate }: Asked): { name: Name; message: string } => {
  const site = URL.parse(url)?.origin ?? url
  switch (failure.reason) {
    case 'status':
      return { name: 'status', message: `The website returned ${failure.status} instead of this page` }
    case 'type':
      return { name: 'type', message: `The website returned ${failure.type || 'something'} instead of an HTML page` }
    case 'redirect':
      return { name: 'redirect', message: redirectText(failure) }
    case 'too_large':
      return { name: 'too_large', message: 'The page is larger than 5 MB' }
    case 'timeout':
      return { name: 'timeout', message: `The page took longer than ${timeoutMs / 1000} seconds to load` }
    case 'tls':
      return { name: 'certificate', message: `${site} doesn't have a valid certificate` }
    case 'protocol':
      return { name: 'answer', message: `The response of ${site} couldn't be read` }
    case 'scheme':
      return { name: 'address', message: `Use https for ${site}, or set PREVIEW_ALLOW_PRIVATE=true` }
    case 'port':
      return { name: 'address', message: `Use port 443 or 8443 for ${site}, or set PREVIEW_ALLOW_PRIVATE=true` }
    case 'invalid_url':
    case 'credentials':
      return { name: 'address', message: 'The URL of the page is invalid. Check the preview URL of the type.' }
    case 'not_public':
    case 'no_address':
    case 'dns':
    case 'connect':
      return { name: 'unreachable', message: unreachableText(site, allowPrivate) }
  }
}

const redirectText = ({ from, to }: { from: string; to: string | null }): string =>
  to === null || to === from || to === 'null'
    ? 'The page redirects too many times'
    : `The page redirects to ${to}, another website. Change the preview URL to point there directly.`

const unreachableText = (site: string, allowPrivate: boolean): string => {
  const text = `The website at ${site} couldn't be reached. Check that it is running and that its URL is correct.`
  return allowPrivate ? text : `${text}. Private addresses require PREVIEW_ALLOW_PRIVATE=true.`
}
