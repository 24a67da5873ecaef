import { createSecretKey, type KeyObject } from 'node:crypto'
import { hmacToken, timingSafeEqualText } from '@stoa/kit/crypto/tokens.ts'
import type { ImageUrls } from './sanitize.ts'

/** How images of a message are shown. Plain data, so that it can be passed to a thread. */
export type ImageSource = {
  /** Addresses of the message's own pictures, by Content-ID. */
  parts: ReadonlyMap<string, string>
  /** The proxy for remote images; null: remote images are left out. */
  proxy: ImageProxy | null
}

export type ImageProxy = {
  path: string
  key: Uint8Array
  /** Whose pictures they are: nobody else can ask for them. */
  owner: string
}

/** Longer addresses do not fit into a request. */
const MAX_ENCODED = 6_000

export const imageUrls = ({ parts, proxy }: ImageSource): ImageUrls => {
  const cid = (id: string): string | null => parts.get(id) ?? null
  if (!proxy) return { cid, remote: () => null }
  // Made once: a message has hundreds of pictures, and Node takes long with the bytes of a key.
  const key = createSecretKey(proxy.key)
  return {
    cid,
    remote: (url) => {
      const encoded = encodeURIComponent(url)
      if (encoded.length > MAX_ENCODED) return null
      return `${proxy.path}/${sign(key, proxy.owner, url)}?url=${encoded}`
    },
  }
}

/** The proxy asks for what it signed and for nothing else. */
export const isSigned = ({ key, owner }: Omit<ImageProxy, 'path'>, url: string, signature: string): boolean =>
  timingSafeEqualText(signature, sign(createSecretKey(key), owner, url))

const sign = (key: KeyObject, owner: string, url: string): string =>
  hmacToken(key, `${owner}\n${url}`).toString('base64url')
