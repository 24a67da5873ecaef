import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PublishMedia } from '@stoa/cms/social/networks/network.ts'
import sharp from 'sharp'

type Facts = Pick<PublishMedia, 'kind' | 'type' | 'width' | 'height' | 'seconds'> & { alt?: string }

const mediumOf = (
  content: Buffer,
  { alt = '', ...facts }: Facts,
  filename: string,
  publicUrl: string,
): PublishMedia => ({
  ...facts,
  alt,
  filename,
  bytes: content.length,
  async *read({ from, to } = { from: 0, to: content.length }) {
    // Pieces of odd length, so that nobody counts on even ones.
    for (let at = from; at < to; at += PIECE) yield content.subarray(at, Math.min(at + PIECE, to))
  },
  publicUrl: async () => publicUrl,
})

const PIECE = 65_521

/** A file of this size whose bytes show their offset, at an address that can't be read. */
export const fileOf = (type: string, bytes: number, alt = ''): PublishMedia => {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1_021) content[at] = (at / 1_021) % 251
  const isVideo = type.startsWith('video/')
  const facts: Facts = {
    kind: isVideo ? 'video' : 'image',
    type,
    width: 640,
    height: 480,
    seconds: isVideo ? 10 : null,
    alt,
  }
  return mediumOf(content, facts, `file.${type.split('/')[1]}`, `https://site.example/media/social/token-${bytes}.jpg`)
}

export type Files = Awaited<ReturnType<typeof startFiles>>

/** Pictures and videos that networks can read by their address. */
export const startFiles = async () => {
  const stored = new Map<string, { content: Buffer; type: string }>()
  const server = createServer((request, response) => {
    const file = stored.get(request.url ?? '')
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keep = (content: Buffer, facts: Facts): PublishMedia => {
    const path = `/${stored.size}.${facts.type.split('/')[1]}`
    stored.set(path, { content, type: facts.type })
    return mediumOf(content, facts, path.slice(1), `${url}${path}`)
  }
  return {
    url,
    async image({ width = 800, height = 800, format = 'jpeg' as 'jpeg' | 'png', alt = '' } = {}) {
      const picture = sharp({ create: { width, height, channels: 3, background: '#3a7' } })
      const content = await picture.toFormat(format).toBuffer()
      return keep(content, { kind: 'image', type: `image/${format}`, width, height, seconds: null, alt })
    },
    /** Enough of a video for those who look at its first bytes only. */
    video({ bytes = 5000, alt = '' } = {}) {
      const content = Buffer.alloc(bytes, 'v')
      content.write('\0\0\0\x18ftypisom', 0, 'latin1')
      return keep(content, { kind: 'video', type: 'video/mp4', width: 1080, height: 1920, seconds: 12, alt })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
