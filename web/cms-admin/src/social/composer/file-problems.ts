import { isRaster } from '@stoa/cms-model/media.ts'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import type { Draft, selectedNetworks } from './draft.ts'

/** Facts about a file; the length of a video only where the browser can read it. */
export type FileFacts = { name: string; type: string; bytes: number; seconds: number | null }
export type Files = ReadonlyMap<string, FileFacts>

type Selected = ReturnType<typeof selectedNetworks>[number]

/** Files that a network would refuse. Images are fitted before they are sent, videos are not. */
export const fileProblems = (draft: Draft, selected: Selected, files: Files): string[] =>
  draft.media.flatMap(({ mediaId, kind }) => {
    const file = files.get(mediaId)
    if (!file) return []
    return kind === 'video' ? videoProblems(file, selected) : imageProblems(file, selected)
  })

const imageProblems = ({ name, type }: FileFacts, { network }: Selected): string[] =>
  isRaster(type) || network.limits.imagesMax === 0
    ? []
    : [`${network.label} can't show ${name}. Use a JPEG, PNG, GIF, WebP or AVIF image.`]

const videoProblems = ({ name, type, bytes, seconds }: FileFacts, { network, accounts }: Selected): string[] => {
  const { label, limits } = network
  if (limits.videoTypes.length === 0) return []
  const found: string[] = []
  if (!limits.videoTypes.includes(type))
    found.push(`${label} supports ${listOf(limits.videoTypes.map(typeName))} videos; ${name} is ${typeName(type)}.`)
  const maxBytes = least(
    limits.videoMaxBytes,
    accounts.map(({ capabilities }) => capabilities.videoMaxBytes),
  )
  if (bytes > maxBytes)
    found.push(`${label} supports videos up to ${formatBytes(maxBytes)}; ${name} has ${formatBytes(bytes)}.`)
  const [shortest, usual] = limits.videoSeconds ?? [0, Number.POSITIVE_INFINITY]
  const longest = least(
    usual,
    accounts.map(({ capabilities }) => capabilities.maxVideoSec),
  )
  if (seconds !== null && (seconds < shortest || seconds > longest))
    found.push(
      `${label} supports videos of ${durationOf(shortest)} to ${durationOf(longest)}; ${name} lasts ${durationOf(seconds)}.`,
    )
  return found
}

const least = (usual: number, own: readonly (number | undefined)[]): number =>
  Math.min(usual, ...own.map((one) => one ?? usual))

const typeNames: Readonly<Record<string, string>> = {
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
}
const typeName = (type: string): string => typeNames[type] ?? type

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

const MINUTE = 60

/** "90 s", "15 min". */
const durationOf = (seconds: number): string =>
  seconds >= 2 * MINUTE && seconds % MINUTE < 1
    ? `${formatNumber(Math.floor(seconds / MINUTE))} min`
    : `${formatNumber(Math.round(seconds * 10) / 10)} s`
