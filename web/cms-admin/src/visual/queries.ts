import { withVisualToken } from '@stoa/cms-model/preview.ts'
import type { VisualPage } from '@stoa/cms-model/visual.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { hasCode, sendSignedIn } from '../api.ts'

type Preview = { entryId: string; token: string; siteUrl: string }

/** The page of a preview link, marked for the editor. A website elsewhere is asked by the service: it may not be read here. */
export const readPage = ({ entryId, token, siteUrl }: Preview, signal: AbortSignal): Promise<VisualPage> => {
  const address = withVisualToken(siteUrl, token)
  return isSameOrigin(address)
    ? fetchPage(address, signal)
    : sendSignedIn<VisualPage>('POST', '/api/visual/page', { body: { entryId, token }, signal })
}

export const isSameOrigin = (address: string): boolean => new URL(address, location.href).origin === location.origin

/** A page of this origin, as visitors get it. */
export const fetchPage = async (address: string, signal: AbortSignal): Promise<VisualPage> => {
  const response = await fetch(address, { headers: { accept: 'text/html' }, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new ProblemError("Couldn't reach the website.")
  })
  if (response.status !== 200) {
    const message = `The website returned ${response.status} instead of this page.`
    throw new ProblemError(message, [], { cause: response.status })
  }
  if (!isSameOrigin(response.url)) throw new ProblemError('The page redirects to another website.')
  if (!response.headers.get('content-type')?.toLowerCase().startsWith('text/html'))
    throw new ProblemError("The website's response isn't a page.")
  return { html: await response.text(), url: response.url }
}

/** Whether a preview link may have ended: the service started anew, or others needed its place. The website knows no page then. */
export const isEndedLink = (error: unknown): boolean =>
  hasCode(error, 'PREVIEW_NOT_FOUND') || (error instanceof ProblemError && error.cause === 404)
