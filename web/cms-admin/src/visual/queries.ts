import { withVisualToken } from '@stoa/cms-model/preview.ts'
import type { VisualPage } from '@stoa/cms-model/visual.ts'
import { ProblemError } from '@stoa/ui/problem.ts'
import { sendSignedIn } from '../api.ts'

type Preview = { entryId: string; token: string; siteUrl: string }

/** The page of a preview link, marked for the editor. A website elsewhere is asked by the service: it may not be read here. */
export const readPage = async ({ entryId, token, siteUrl }: Preview, signal: AbortSignal): Promise<VisualPage> => {
  const address = withVisualToken(siteUrl, token)
  if (new URL(address, location.href).origin !== location.origin)
    return sendSignedIn<VisualPage>('POST', '/api/visual/page', { body: { entryId, token }, signal })
  const response = await fetch(address, { headers: { accept: 'text/html' }, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new ProblemError('The website could not be reached.')
  })
  if (response.status !== 200) throw new ProblemError(`The website answered ${response.status} instead of this page.`)
  if (new URL(response.url).origin !== location.origin) throw new ProblemError('The page redirects to another website.')
  if (!response.headers.get('content-type')?.toLowerCase().startsWith('text/html'))
    throw new ProblemError('The website answered something that is not a page.')
  return { html: await response.text(), url: response.url }
}
