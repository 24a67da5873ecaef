import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isFresh } from './etag.ts'
import type { Incoming } from './incoming.ts'
import { type MaybePromise, type Reply, type ReplyOptions, reply } from './route.ts'

export type Encoding = 'br' | 'gzip'
/** In the order of preference between equals. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** Shorter bodies fit into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1024

/**
 * The encoding that the client likes best of those that we have (RFC 9110 §12.5.3); null: as it is. A bare `*` comes from
 * tools that decode nothing.
 */
export const acceptedEncoding = (accepted: string | undefined): Encoding | null => {
  if (!accepted) return null
  const known = read.get(accepted)
  if (known !== undefined) return known
  const encoding = readAccepted(accepted)
  if (accepted.length <= MAX_KEPT_LENGTH) {
    if (read.size >= MAX_KEPT) read.clear()
    read.set(accepted, encoding)
  }
  return encoding
}

/** Clients send a handful of different headers, again and again. */
const MAX_KEPT = 100
const MAX_KEPT_LENGTH = 100
const read = new Map<string, Encoding | null>()

const readAccepted = (accepted: string): Encoding | null => {
  const qualities = new Map(accepted.toLowerCase().split(',', MAX_ACCEPTED).map(readQuality))
  let best: { encoding: Encoding; quality: number } | null = null
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? 0
    if (quality > (best?.quality ?? 0)) best = { encoding, quality }
  }
  return best && best.quality >= (qualities.get('identity') ?? 0) ? best.encoding : null
}

/** Browsers name five at most. */
const MAX_ACCEPTED = 20

const readQuality = (part: string): [string, number] => {
  const [name = '', ...parameters] = part.split(';')
  const weight = parameters.map((parameter) => /^\s*q=(\d(?:\.\d*)?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return [name.trim(), weight === undefined ? 1 : Number(weight)]
}

/** RFC 9110 §8.8.3.3: other bytes on the wire, another strong validator. */
export const encodedEtag = (etag: string, encoding: Encoding): string => etag.replace(/"$/, `-${encoding}"`)

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

// Done while somebody waits: 9 takes five times as long for two bytes in a hundred.
const QUALITY = 5

/** Off the main thread. */
export const compress = (body: string | Buffer, encoding: Encoding): Promise<Buffer> => {
  if (encoding === 'gzip') return gzipAsync(body)
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return brotliAsync(body, { params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } })
}

/** One body in every encoding that somebody has asked for, each made once. */
export type Variants = {
  readonly plain: Reply<string | Buffer>
  /** The one for this request. The surface, or the options, must say `Vary: Accept-Encoding`. */
  answer(request: Pick<Incoming, 'headers'>): MaybePromise<Reply<string | Buffer | null>>
}

/** `onKept` gets how many more bytes are held once a variant was made. */
export const variantsOf = (
  body: string | Buffer,
  options: ReplyOptions & { etag: string },
  onKept: (bytes: number) => void = () => undefined,
): Variants => {
  const plain = reply(body, options)
  const made = new Map<Encoding, MaybePromise<Reply<Buffer>>>()

  const make = async (encoding: Encoding): Promise<Reply<Buffer>> => {
    const bytes = await compress(body, encoding)
    const headers = { ...options.headers, 'content-encoding': encoding }
    const variant = reply(bytes, { ...options, etag: encodedEtag(options.etag, encoding), headers })
    made.set(encoding, variant)
    onKept(bytes.length)
    return variant
  }

  return {
    plain,
    answer({ headers }) {
      if (body.length < MIN_COMPRESSED_BYTES) return plain
      const accepted = headers['accept-encoding']
      const encoding = acceptedEncoding(typeof accepted === 'string' ? accepted : undefined)
      if (encoding === null) return plain
      const known = made.get(encoding)
      if (known) return known
      // A client that has it already gets a 304 without its being compressed.
      const etag = encodedEtag(options.etag, encoding)
      if (isFresh(headers['if-none-match'], etag)) return reply(null, { ...options, etag })
      const making = make(encoding)
      made.set(encoding, making)
      making.catch(() => made.delete(encoding))
      return making
    },
  }
}
