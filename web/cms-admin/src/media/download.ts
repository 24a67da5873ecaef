import type { MediaRecord } from './queries.ts'
import { ownPath } from './renditions.ts'

/** Browsers drop downloads that begin at the same moment. */
const PAUSE_MS = 250

/** Saves the originals, one after the other. */
export const downloadAll = (files: readonly Pick<MediaRecord, 'url' | 'filename'>[]): void => {
  for (const [index, file] of files.entries()) setTimeout(() => download(file), index * PAUSE_MS)
}

const download = ({ url, filename }: Pick<MediaRecord, 'url' | 'filename'>): void => {
  const link = document.createElement('a')
  link.href = ownPath(url)
  link.download = filename
  // When the storage redirects elsewhere, the file opens in a new tab instead of replacing the admin
  link.target = '_blank'
  link.rel = 'noreferrer'
  link.click()
}
