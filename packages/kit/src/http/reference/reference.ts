import { type Variants, variantsOf } from '../compression.ts'
import { strongEtag } from '../etag.ts'
import { type ApiDescription, describeApi } from '../openapi.ts'
import type { Route } from '../route.ts'
import { renderReference } from './page.ts'

/** What a service answers about itself: the document for programs, and the page for people. */
export type PublishedApi = { document: Variants; page: Variants }

/**
 * Both are made once, of the same routes, when they are first asked for: it takes longer than all else at the start of a
 * service. The page loads nothing.
 */
export const publishApi = <R extends Route>(routes: readonly R[], api: ApiDescription<R>): PublishedApi => {
  let published: PublishedApi | undefined
  const publish = (): PublishedApi => {
    published ??= renderApi(routes, api)
    return published
  }
  return {
    get document() {
      return publish().document
    },
    get page() {
      return publish().page
    },
  }
}

const renderApi = <R extends Route>(routes: readonly R[], api: ApiDescription<R>): PublishedApi => {
  const described = describeApi(routes, api)
  const document = JSON.stringify(described)
  const { html, policy } = renderReference(described)
  return {
    document: variantsOf(document, {
      contentType: 'application/json; charset=utf-8',
      etag: strongEtag(document),
      headers: { vary: 'Accept-Encoding' },
    }),
    page: variantsOf(html, {
      contentType: 'text/html; charset=utf-8',
      etag: strongEtag(html),
      headers: { 'content-security-policy': policy, 'cache-control': 'no-cache', vary: 'Accept-Encoding' },
    }),
  }
}
