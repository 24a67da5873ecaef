import { isMediaType, mediaTypes } from '@stoa/cms-model/media.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'

type Checked = Pick<File, 'name' | 'size' | 'type'>

type Limits = {
  /** In bytes; not known yet: the service decides. */
  maxBytes: number | undefined
  /** Beginnings of MIME types. */
  accept?: readonly string[] | undefined
}

/** Problems of a file that are clear before it is sent; the service inspects its content. */
export const problemOfFile = (file: Checked, { maxBytes, accept }: Limits): string | undefined => {
  const type = typeOfFile(file)
  if (file.size === 0) return 'The file is empty.'
  if (type === undefined) return `File type not supported. Use ${ENDINGS}.`
  if (accept && !matchesAccept(type, accept)) return `Only ${describeAccept(accept)} can be used here.`
  if (maxBytes !== undefined && file.size > maxBytes)
    return `Too large: ${formatBytes(file.size)}. The limit is ${formatBytes(maxBytes)}.`
  return undefined
}

/** Whether a type begins with one of these. `image/*` is the same as `image/`. */
export const matchesAccept = (mimeType: string, accept: readonly string[] | undefined): boolean =>
  accept === undefined ||
  accept.length === 0 ||
  accept.some((start) => start === '*/*' || mimeType.startsWith(start.replace(/\*$/, '')))

/** The kinds that these beginnings stand for, in words. */
export const describeAccept = (accept: readonly string[]): string => {
  const words = accept.map((start) => KINDS[start.replace(/\*$/, '')] ?? start)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
}

/** For the `accept` of a file input. */
export const inputAccept = (accept: readonly string[] | undefined): string =>
  Object.entries(mediaTypes)
    .filter(([type]) => matchesAccept(type, accept))
    .flatMap(([type, { extensions }]) => [type, ...extensions.map((extension) => `.${extension}`)])
    .join(',')

const KINDS: Readonly<Record<string, string>> = {
  'image/': 'images',
  'video/': 'videos',
  'audio/': 'audio files',
  'application/pdf': 'PDF documents',
}

const ENDINGS = Object.values(mediaTypes)
  .map(({ extensions }) => extensions[0])
  .join(', ')

/** The type reported by the browser, or else the one that the file extension implies. */
const typeOfFile = ({ name, type }: Checked): string | undefined => {
  if (isMediaType(type)) return type
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return Object.entries(mediaTypes).find(([, { extensions }]) => extensions.some((known) => known === ending))?.[0]
}
