import { queryOptions, useQueries } from '@tanstack/react-query'
import { mediaQuery } from '../../media/queries.ts'
import { ownPath } from '../../media/renditions.ts'
import type { DraftMedia } from './draft.ts'
import type { FileFacts } from './file-problems.ts'

/** Facts about the files of a post; files that are still being read are missing. */
export const useFileFacts = (media: readonly DraftMedia[]): ReadonlyMap<string, FileFacts> => {
  const records = useQueries({ queries: media.map(({ mediaId }) => mediaQuery(mediaId)) })
  const videos = records.flatMap(({ data }) => (data?.mimeType.startsWith('video/') ? [data] : []))
  const lengths = useQueries({ queries: videos.map((video) => lengthQuery(video.id, ownPath(video.url))) })
  return new Map(
    records.flatMap(({ data }) => {
      if (!data) return []
      const seconds = lengths[videos.indexOf(data)]?.data ?? null
      return [[data.id, { name: data.filename, type: data.mimeType, bytes: data.size, seconds }]]
    }),
  )
}

const lengthQuery = (id: string, source: string) =>
  queryOptions({
    queryKey: ['video-length', id, source],
    queryFn: () => readLength(source),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The length that the browser reads; null for files that it cannot play, which the service inspects. */
const readLength = (source: string): Promise<number | null> =>
  new Promise((resolve) => {
    const video = document.createElement('video')
    const done = (seconds: number | null) => {
      video.removeAttribute('src')
      video.load()
      resolve(seconds)
    }
    video.preload = 'metadata'
    video.onloadedmetadata = () => done(Number.isFinite(video.duration) ? video.duration : null)
    video.onerror = () => resolve(null)
    video.src = source
  })
