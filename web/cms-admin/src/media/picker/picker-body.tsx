import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError, NothingMatches } from '@stoa/ui/table/table-parts.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { Check, Images } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasCode } from '../../api.ts'
import { folderRows } from '../folders.ts'
import { TileFace } from '../media-tile.tsx'
import { foldersQuery, type MediaRecord, mediaPagesQuery, mediaQuery, NO_FOLDER } from '../queries.ts'
import { describeAccept, matchesAccept } from '../upload/file-check.ts'
import { UploadButton } from '../upload/upload-button.tsx'
import { isRunning } from '../upload/upload-queue.ts'
import { useUploads } from '../upload/uploads.ts'
import { useUpload } from '../upload/use-upload.ts'
import { useGridKeys } from '../use-grid-keys.ts'
import { forgetPicked, recentlyPicked } from './recent.ts'

type PickerBodyProps = {
  accept: readonly string[] | undefined
  multiple: boolean
  chosen: readonly MediaRecord[]
  mayUpload: boolean
  onTile: (media: MediaRecord) => void
  /** Called with the uploaded files when all uploads have ended. */
  onUploaded: (media: readonly MediaRecord[]) => void
}

/** Search, folders, upload and tiles of the picker. */
export const PickerBody = (props: PickerBodyProps) => {
  const { accept, multiple, chosen, mayUpload, onTile, onUploaded } = props
  const [q, setQ] = useState('')
  const [folder, setFolder] = useState('')
  const words = q.trim()
  const query = useInfiniteQuery(mediaPagesQuery({ q: words, folder, type: groupOf(accept) }))
  const upload = usePickerUpload(onUploaded)
  const recent = useRecent()
  const loaded = query.data?.pages.flatMap(({ items }) => items)
  const found = loaded && withFirst(words === '' && folder === '' ? recent : [], loaded).filter(fits(accept))
  const send = (files: readonly File[]) => upload.start(files, { folder: folder === NO_FOLDER ? '' : folder, accept })
  const button = mayUpload ? <UploadButton multiple={multiple} accept={accept} onFiles={send} /> : undefined
  const clear = () => {
    setQ('')
    setFolder('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a way for the mouse; the keyboard has "Upload"
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const files = [...event.dataTransfer.files]
        if (mayUpload && files.length > 0) send(multiple ? files : files.slice(0, 1))
      }}
      className="flex min-h-96 flex-col gap-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <UrlSearch label="Search files" value={q} onSearch={setQ} />
        <FolderSelect value={folder} onValue={setFolder} />
        {button}
      </div>
      {upload.status}
      {query.error && !found ? (
        <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : !found ? (
        <TilesSkeleton />
      ) : found.length > 0 ? (
        <Tiles files={found} chosen={chosen} multiple={multiple} onTile={onTile} />
      ) : words !== '' || folder !== '' ? (
        <NothingMatches onClear={clear} />
      ) : (
        <EmptyState icon={<Images />} title="No files yet" action={button}>
          {accept ? `Only ${describeAccept(accept)} can be used here.` : 'Uploaded files show up here.'}
        </EmptyState>
      )}
      {query.hasNextPage ? (
        <Button className="self-center" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </div>
  )
}

const fits =
  (accept: readonly string[] | undefined) =>
  ({ mimeType }: MediaRecord): boolean =>
    matchesAccept(mimeType, accept)

const withFirst = (first: readonly MediaRecord[], all: readonly MediaRecord[]): readonly MediaRecord[] => [
  ...first,
  ...all.filter(({ id }) => !first.some((other) => other.id === id)),
]

/** The service narrows to one kind; the rest is done here. */
const groupOf = (accept: readonly string[] | undefined): string => {
  const groups = new Set(accept?.map((start) => GROUPS.find(([prefix]) => start.startsWith(prefix))?.[1] ?? ''))
  const [only] = groups
  return groups.size === 1 && only ? only : ''
}

const GROUPS = [
  ['image/', 'image'],
  ['video/', 'video'],
  ['audio/', 'audio'],
  ['application/', 'document'],
] as const

const FolderSelect = ({ value, onValue }: { value: string; onValue: (folder: string) => void }) => {
  const { data: folders = [] } = useQuery(foldersQuery)
  const rows = folderRows(folders)
  if (rows.length === 0) return null
  return (
    <Select
      aria-label="Folder"
      className="w-auto! max-w-48"
      value={value}
      onValue={onValue}
      options={[
        { value: '', label: 'All folders' },
        { value: NO_FOLDER, label: 'No folder' },
        ...rows.map(({ path, name, depth }) => ({ value: path, label: `${'– '.repeat(depth)}${name}` })),
      ]}
    />
  )
}

type TilesProps = {
  files: readonly MediaRecord[]
  chosen: readonly MediaRecord[]
  multiple: boolean
  onTile: (media: MediaRecord) => void
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3'

const Tiles = ({ files, chosen, multiple, onTile }: TilesProps) => {
  const keys = useGridKeys(files.map(({ id }) => id))
  return (
    <ul {...keys.props} aria-label="Files" className={grid}>
      {files.map((media) => {
        const isChosen = chosen.some(({ id }) => id === media.id)
        return (
          <li key={media.id} className="min-w-0">
            <button
              type="button"
              data-tile={media.id}
              tabIndex={keys.tabIndex(media.id)}
              {...(multiple ? { 'aria-pressed': isChosen } : {})}
              onClick={() => onTile(media)}
              className="group/tile flex w-full flex-col gap-1.5 rounded-lg"
            >
              <TileFace media={media} chosen={isChosen} mark={isChosen ? <ChosenMark /> : null} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const ChosenMark = () => (
  <span className="absolute top-2 left-2 flex size-5 items-center justify-center rounded-full bg-accent text-on-accent">
    <Check aria-hidden strokeWidth={3} className="size-3" />
  </span>
)

const TilesSkeleton = () => (
  <div role="status" className={grid}>
    <span className="sr-only">Loading</span>
    {Array.from({ length: 10 }, (_, tile) => tile).map((tile) => (
      <Skeleton key={tile} className="aspect-4/3 h-auto rounded-lg" />
    ))}
  </div>
)

/** Sends files, says how it goes, and hands them over when the last one has ended. */
const usePickerUpload = (onUploaded: (media: readonly MediaRecord[]) => void) => {
  const add = useUpload()
  const queue = useUploads()
  const [batch, setBatch] = useState<number>()
  const own = queue.filter((item) => item.batch === batch)
  const running = own.filter(isRunning).length
  const ended = batch !== undefined && own.length > 0 && running === 0
  const handOver = useEffectEvent(() => {
    setBatch(undefined)
    const done = own.flatMap(({ media }) => (media ? [media] : []))
    if (done.length > 0) onUploaded(done)
  })
  useEffect(() => {
    if (ended) handOver()
  }, [ended])
  return {
    start: (files: readonly File[], into: Parameters<typeof add>[1]) => setBatch(add(files, into)),
    status:
      running > 0 ? (
        <p role="status" className="text-muted text-sm">
          Uploading {running === 1 ? '1 file' : `${running} files`}…
        </p>
      ) : null,
  }
}

/** The files that were picked last, the latest first; those that are gone are forgotten. */
const useRecent = (): readonly MediaRecord[] => {
  const [ids] = useState(recentlyPicked)
  const queries = useQueries({ queries: ids.map((id) => mediaQuery(id)) })
  const gone = ids.filter((_, index) => hasCode(queries[index]?.error, 'NOT_FOUND')).join()
  useEffect(() => {
    for (const id of gone.split(',').filter(Boolean)) forgetPicked(id)
  }, [gone])
  return queries.flatMap(({ data }) => (data ? [data] : []))
}
