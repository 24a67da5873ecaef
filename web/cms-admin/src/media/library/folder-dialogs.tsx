import type { Me } from '@stoa/cms-model/accounts.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { FolderInput } from '../folder-input.tsx'
import { folderRows, isInside, movedPath } from '../folders.ts'
import { filesInFolders, type MediaFolder, updateMedia } from '../queries.ts'
import { mayChange, mayChangeAll } from '../rights.ts'
import { BulkProgress, useBulkRun } from './bulk-run.tsx'

type NewFolderProps = {
  above: string
  folders: readonly MediaFolder[]
  onOpen: (folder: string) => void
  onClose: () => void
}

/** Opens a folder that does not exist yet: it does as soon as a file is in it. */
export const NewFolderDialog = ({ above, folders, onOpen, onClose }: NewFolderProps) => {
  const form = useForm({
    initial: { name: '', inside: above },
    validate: ({ name }): { name?: string } => (cleanPath(name) === '' ? { name: 'Enter a name.' } : {}),
    onSubmit: async ({ name, inside }) => {
      onClose()
      onOpen(cleanPath(`${inside}/${name}`))
      return undefined
    },
  })
  const rows = folderRows(folders, above === '' ? [] : [above])
  return (
    <FormDialog
      title="New folder"
      description="Folders are kept once they contain a file."
      size="sm"
      form={form}
      submitLabel="Open folder"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" />
      </Field>
      {rows.length > 0 ? (
        <Field label="Parent folder">
          <Select
            {...form.choice('inside')}
            options={[
              { value: '', label: 'None (top level)' },
              ...rows.map(({ path, name, depth }) => ({ value: path, label: `${'– '.repeat(depth)}${name}` })),
            ]}
          />
        </Field>
      ) : null}
    </FormDialog>
  )
}

type RenameFolderProps = {
  path: string
  me: Me
  folders: readonly MediaFolder[]
  onRenamed: (folder: string) => void
  onClose: () => void
}

/** Gives a folder another path by moving every file in it and below. */
export const RenameFolderDialog = ({ path, me, folders, onRenamed, onClose }: RenameFolderProps) => {
  const { state, start, cancel } = useBulkRun()
  const inside = folders.filter(({ folder }) => folder === path || isInside(folder, path))
  const count = inside.reduce((sum, folder) => sum + folder.count, 0)
  const form = useForm({
    initial: { folder: path },
    validate: ({ folder }): { folder?: string } =>
      isInside(cleanPath(folder), path) ? { folder: "A folder can't be inside itself." } : {},
    onSubmit: async ({ folder }) => {
      const to = cleanPath(folder)
      const files = await filesInFolders(inside.map((one) => one.folder))
      const own = files.filter((media) => mayChange(me, media))
      const result = await start(own, (media) =>
        updateMedia(media.id, { folder: movedPath(media.folder, path, to) }, 'any'),
      )
      onRenamed(to)
      if (result.failed.length > 0) return undefined
      toast({ tone: 'success', title: `“${path}” renamed to “${to || 'no folder'}”` })
      onClose()
      return undefined
    },
  })
  if (state.step !== 'idle')
    return <BulkProgress label="Moving files" done="moved" state={state} onCancel={cancel} onClose={onClose} />
  return (
    <FormDialog
      title={`Rename “${path}”`}
      description={`${formatCount(count, 'file moves', 'files move')} with it. File URLs don't change.`}
      size="sm"
      form={form}
      submitLabel="Rename"
      onClose={onClose}
    >
      {mayChangeAll(me) ? null : <Notice tone="warning">Other people's files stay in the folder.</Notice>}
      <Field label="Path" help="Leave empty to move its files to the top level" error={form.errors.folder}>
        <FolderInput {...form.text('folder')} folders={folders} />
      </Field>
    </FormDialog>
  )
}

/** Normalizes a path in the same way as the service. */
const cleanPath = (text: string): string =>
  text
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/')
