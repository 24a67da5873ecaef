import type { VisualPage } from '@stoa/cms-model/visual.ts'
import { hostOfUrl, isLoopbackHost } from '@stoa/kit/egress/address.ts'
import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { StreamResponse } from '@stoa/kit/egress/stream.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import { decodeHtml, mediaTypeOf } from './charset.ts'
import { type Failure, failurePage } from './failures.ts'

/** Fetches pages of the website for the editor, whose own origin may not read them. */
export type PageReader = {
  /** The page as the website's server sends it. Whatever goes wrong is PREVIEW_UNREACHABLE with its reason. */
  read(url: string, accountId: string): Promise<VisualPage>
}

declare module '../../context.ts' {
  interface Ports {
    readonly pages: PageReader
  }
}

export const MAX_PAGE_BYTES = 5 * 2 ** 20
const TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 5
const PORTS = [443, 8443]
/** A page takes about five times its size while it is read, decoded and written into an answer. */
const PARALLEL = 6
const WAITING = 30
/** An editor has one under way, and the next when someone types on; two windows are not unusual. */
const PER_PERSON = 4

type Limits = Pick<Config, 'previewAllowPrivate' | 'isProduction'> & { timeoutMs?: number }

export const createPageReader = ({
  previewAllowPrivate: allowPrivate,
  isProduction,
  timeoutMs = TIMEOUT_MS,
}: Limits): PageReader => {
  const egress = createEgress({ ports: PORTS, allowPrivate })
  const process = createSemaphore({ parallel: PARALLEL, waiting: WAITING })
  const people = new Map<string, number>()
  const limits = {
    connectMs: timeoutMs,
    headersMs: timeoutMs,
    idleMs: timeoutMs,
    totalMs: timeoutMs,
    maxBytes: MAX_PAGE_BYTES,
  }

  const fetchPage = async (url: string): Promise<VisualPage> => {
    const request = {
      url,
      headers: { accept: 'text/html', 'user-agent': 'stoa-cms-visual/1' },
      limits,
      redirects: MAX_REDIRECTS,
      decompress: true,
      privateHosts: isProduction ? [] : loopbackOf(url),
    }
    const refuse = (failure: Failure) => failurePage(failure, { url, timeoutMs, allowPrivate })
    try {
      const page = await readPage(egress, request)
      return 'failure' in page ? refuse(page.failure) : page
    } catch (error) {
      if (error instanceof EgressRefused || error instanceof EgressFailed)
        return refuse({ reason: error.reason, cause: error })
      throw error
    }
  }

  return {
    async read(url, accountId) {
      const running = people.get(accountId) ?? 0
      if (running >= PER_PERSON)
        fail('RATE_LIMITED', {
          message: `${PER_PERSON} pages are already being loaded for you. Try again in a moment.`,
          headers: { 'retry-after': '1' },
        })
      people.set(accountId, running + 1)
      try {
        return await process.run(() => fetchPage(url))
      } finally {
        const left = (people.get(accountId) ?? 1) - 1
        if (left > 0) people.set(accountId, left)
        else people.delete(accountId)
      }
    },
  }
}

/** A website on the developer's own machine, as its address says. */
const loopbackOf = (text: string): string[] => {
  const url = URL.parse(text)
  const host = url && hostOfUrl(url)
  if (!host || !isLoopbackHost(host)) return []
  return [`${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`]
}

const readPage = async (
  egress: Egress,
  request: Parameters<Egress['stream']>[0],
): Promise<VisualPage | { failure: Failure }> => {
  const response = await egress.stream(request)
  const failure = failureOf(response)
  if (failure) {
    await response.body.cancel()
    return { failure }
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return {
    html: decodeHtml(Buffer.concat(chunks), response.headers.get('content-type')),
    url: response.url,
  }
}

const failureOf = ({ status, headers, url }: StreamResponse): Failure | null => {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    return { reason: 'redirect', to: URL.parse(location, url)?.origin ?? null, from: new URL(url).origin }
  if (status !== 200) return { reason: 'status', status }
  const type = mediaTypeOf(headers.get('content-type'))
  return type === 'text/html' ? null : { reason: 'type', type }
}
