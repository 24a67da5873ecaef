import type { Me } from '@stoa/cms-model/accounts.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Download, FileX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { hasCode } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { downloadAll } from '../download.ts'
import { type MediaRecord, mediaQuery } from '../queries.ts'
import { isRaster } from '../renditions.ts'
import { mayChange } from '../rights.ts'
import { DeleteFile } from './delete-file.tsx'
import { DetailForm } from './detail-form.tsx'
import { FileFacts } from './file-facts.tsx'
import { Neighbours } from './neighbours.tsx'
import { RenditionBuilder } from './rendition-builder.tsx'
import { ReplaceButton } from './replace-button.tsx'
import { UsesPanel } from './uses-panel.tsx'

/** One file of the library. */
export const MediaDetail = ({ id }: { id: string }) => {
  const query = useQuery(mediaQuery(id))
  const { data: me } = useSuspenseQuery(meQuery)
  const back = useLibraryPath()
  if (query.data) return <DetailView media={query.data} me={me} back={back} />
  if (!query.error) return <SkeletonText lines={8} />
  if (hasCode(query.error, 'NOT_FOUND') || hasCode(query.error, 'VALIDATION_FAILED'))
    return (
      <EmptyState
        icon={<FileX />}
        title="File not found"
        action={<LinkButton to={back}>Go to media library</LinkButton>}
      >
        It may have been deleted, or the URL is incomplete.
      </EmptyState>
    )
  return (
    <Crash title="Couldn't load this file" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type DetailViewProps = { media: MediaRecord; me: Me; back: string }

const DetailView = ({ media, me, back }: DetailViewProps) => {
  const url = useUrlState()
  const [deleting, setDeleting] = useState(false)
  const [replaced, setReplaced] = useState<MediaRecord>()
  const editable = mayChange(me, media)
  return (
    <>
      <title>{`${media.filename} · Media · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Media', to: back }]}
        title={<span className="break-all">{media.filename}</span>}
        actions={
          <>
            <Neighbours id={media.id} />
            <IconButton variant="secondary" label="Download" icon={<Download />} onClick={() => downloadAll([media])} />
            {editable ? (
              <>
                <ReplaceButton media={media} onReplaced={setReplaced} />
                <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              </>
            ) : null}
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <DetailForm media={media} replaced={replaced} editable={editable} />
        <UsesPanel id={media.id} />
        {isRaster(media.mimeType) ? <RenditionBuilder media={media} /> : null}
        <Panel title="File details">
          <FileFacts media={media} />
        </Panel>
      </div>
      {deleting ? (
        <DeleteFile media={media} onClose={() => setDeleting(false)} onDeleted={() => url.set({ id: '' })} />
      ) : null}
    </>
  )
}

/** The list as it was left. */
const useLibraryPath = (): string => {
  const search = new URLSearchParams(useLocation().searchStr)
  search.delete('id')
  return search.size === 0 ? '/media' : `/media?${search}`
}
