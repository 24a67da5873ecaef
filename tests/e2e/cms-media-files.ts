import sharp from 'sharp'
import type { CmsService, Person } from '../lib/cms.ts'

/** A landscape in a hue of its own, as a camera might have made it. */
export const photo = (hue: number, width = 960, height = 640): Promise<Buffer> =>
  sharp(Buffer.from(landscape(hue, width, height)))
    .jpeg({ quality: 80 })
    .toBuffer()

/** A mark on nothing. */
export const logo = (hue: number, side = 240): Promise<Buffer> =>
  sharp(Buffer.from(mark(hue, side)))
    .png()
    .toBuffer()

export const mark = (hue: number, side = 240): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 24 24">
    <circle cx="12" cy="12" r="9" fill="hsl(${hue} 70% 45%)"/><path d="M7 15 12 6l5 9z" fill="white"/></svg>`

/** What an MP4 begins with; no browser plays it. */
export const film = (): Buffer =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1'), Buffer.alloc(2_000, 1)])

export const pdf = (): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 1)])

type Put = { filename: string; bytes: Buffer; fields?: Record<string, string> }

/** Puts a file into the library as this person, and gives its record. */
export const putFile = async (service: CmsService, person: Person, { filename, bytes, fields = {} }: Put) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(bytes)]), filename)
  const response = await fetch(`${service.url}/api/media`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${person.token}` },
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${filename} was refused: ${text}`)
  return JSON.parse(text)
}

const landscape = (hue: number, width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 96 64" preserveAspectRatio="none">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="hsl(${hue} 60% 72%)"/><stop offset="1" stop-color="hsl(${hue + 40} 70% 88%)"/>
    </linearGradient></defs>
    <rect width="96" height="64" fill="url(#sky)"/><circle cx="70" cy="18" r="8" fill="hsl(${hue + 180} 80% 85%)"/>
    <path d="M0 44 22 22l16 16 14-12 22 20 22-10v28H0z" fill="hsl(${hue} 35% 42%)"/>
    <path d="M0 54q24-10 48 0t48-2v12H0z" fill="hsl(${hue + 20} 40% 28%)"/></svg>`
