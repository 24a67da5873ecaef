import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { meQuery } from '../../queries.ts'
import { foldersQuery, mediaListQuery, missingAltQuery, NO_FOLDER } from '../queries.ts'
import { mayUpload } from '../rights.ts'
import { UploadButton } from '../upload/upload-button.tsx'
import { UploadZone } from '../upload/upload-zone.tsx'
import { useUpload } from '../upload/use-upload.ts'
import { dayOf, filterNames, filterOf } from './filter.ts'
import { FolderTree } from './folder-tree.tsx'
import { type LibraryAction, LibraryActions } from './library-actions.tsx'
import { LibraryFiles } from './library-files.tsx'

/** All files with their folders; what is shown lives in the address. */
export const Library = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const phone = useIsPhone()
  const folder = url.get('folder')
  const filter = filterOf(url.get, dayOf(new Date()))
  const query = useQuery(mediaListQuery(filter))
  const folders = useQuery(foldersQuery)
  // Also while the list before is still shown: a choice of it would be changed unseen
  const selection = useSelection(JSON.stringify([filter, query.isPlaceholderData]))
  const [action, setAction] = useState<LibraryAction>()
  const upload = useUpload()
  const manages = mayUpload(me)
  const into = folder === NO_FOLDER ? '' : folder
  const open = (next: string) => url.set({ folder: next, page: '' })
  const uploadHere = (files: readonly File[], where = into) => void upload(files, { folder: where })
  const button = manages ? <UploadButton variant="primary" onFiles={uploadHere} /> : undefined
  return (
    <>
      <title>Media · Stoa CMS</title>
      <PageHeader
        title="Media"
        description="Images, videos, audio and documents for your entries"
        actions={
          manages ? (
            <>
              <MissingAlt onShow={() => url.set({ ...cleared, folder: '', show: 'alt', page: '' })} />
              <Button icon={<FolderPlus />} onClick={() => setAction({ kind: 'new-folder', above: into })}>
                New folder
              </Button>
              {button}
            </>
          ) : undefined
        }
      />
      <div className="flex min-w-0 gap-6 phone:flex-col phone:gap-3">
        <FolderTree
          folders={folders.data ?? []}
          current={folder}
          compact={phone}
          onOpen={open}
          {...(manages
            ? {
                onDropFiles: uploadHere,
                onDropMedia: (ids: readonly string[], to: string) => setAction({ kind: 'move', ids, to }),
                onRename: (path: string) => setAction({ kind: 'rename-folder', path }),
              }
            : {})}
        />
        <LibraryFiles
          query={query}
          me={me}
          selection={selection}
          upload={button}
          onAction={setAction}
          onClear={() => url.set({ ...cleared, page: '' })}
        />
      </div>
      {manages ? <UploadZone folder={into} onFiles={uploadHere} /> : null}
      <LibraryActions
        action={action}
        me={me}
        files={query.data?.items ?? []}
        folders={folders.data ?? []}
        onOpenFolder={open}
        onClose={() => setAction(undefined)}
        onDone={() => selection.clear()}
      />
    </>
  )
}

const cleared = Object.fromEntries(filterNames.map((name) => [name, '']))

const MissingAlt = ({ onShow }: { onShow: () => void }) => {
  const { data: count = 0 } = useQuery(missingAltQuery)
  if (count === 0) return null
  return (
    <Button variant="ghost" onClick={onShow}>
      <span aria-hidden className="size-2 rounded-full bg-draft-mark" />
      {formatCount(count, 'image', 'images')} missing alt text
    </Button>
  )
}
