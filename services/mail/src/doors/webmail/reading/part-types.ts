/** Pictures that browsers draw and never run: SVG is not among them. */
const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
])
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/x-ms-bmp', 'image/bmp'],
])
/** Types that say what a file is without a browser ever opening it in our name. */
const FILES: ReadonlySet<string> = new Set([
  'application/pdf',
  'text/plain',
  'application/zip',
  'audio/mpeg',
  'video/mp4',
])

/** Whether a part of this type is shown as a picture. */
export const isShownType = (type: string): boolean => PICTURES.has(ALIASES.get(type) ?? type)

/** The type that a part is served with: its own if it is harmless. */
export const servedType = (type: string): string => {
  const known = ALIASES.get(type) ?? type
  return PICTURES.has(known) || FILES.has(known) ? known : 'application/octet-stream'
}

/** What a picture is by its first bytes; null for anything else. The type that a server claims is ignored. */
export const pictureType = (bytes: Buffer): string | null => {
  const head = bytes.toString('latin1', 0, 16)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.slice(4, 12) === 'ftypavif' || head.slice(4, 12) === 'ftypavis') return 'image/avif'
  return head.startsWith('BM') ? 'image/bmp' : null
}
