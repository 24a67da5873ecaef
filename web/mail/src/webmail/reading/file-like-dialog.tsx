import type { Folder } from '@stoa/mail-model/folders.ts'
import type { Message } from '@stoa/mail-model/messages.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { writeSieve } from '../../filters/write-sieve.ts'
import { type Folders, moveTargets } from '../actions/folder-names.ts'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { sendMailbox } from '../api.ts'
import { folderName, folderPath } from '../places.ts'
import { foldersQuery, messagesQuery } from '../queries.ts'
import { mailboxFilterApi, mailboxFiltersQuery } from '../settings/queries.ts'
import { existingLike, fileRule, type Likeness, likenessesOf } from './file-like.ts'

type FileLikeDialogProps = { message: Message; onClose: () => void }

type Values = {
  like: string
  folder: string
  newFolder: string
  name: string
  markRead: boolean
  moveExisting: boolean
}

const NEW_FOLDER = 'new'

/** Makes a filter of a message: mail that is like it goes to a folder from now on. */
export const FileLikeDialog = ({ message, onClose }: FileLikeDialogProps) => {
  const { data: folders } = useQuery(foldersQuery)
  const likenesses = likenessesOf(message)
  const [first] = likenesses
  if (!folders || !first) return null
  return <OpenDialog {...{ message, onClose, folders, likenesses, first }} />
}

type OpenDialogProps = FileLikeDialogProps & { folders: Folders; likenesses: readonly Likeness[]; first: Likeness }

const OpenDialog = ({ message, onClose, folders, likenesses, first }: OpenDialogProps) => {
  const save = useSave({ message, folders, onClose })
  const likeOf = (id: string): Likeness => likenesses.find((each) => each.id === id) ?? first
  const form = useForm<Values>({
    initial: {
      like: first.id,
      folder: folders.data.some(({ role }) => role === null) ? '' : NEW_FOLDER,
      newFolder: '',
      name: '',
      markRead: false,
      moveExisting: true,
    },
    validate: ({ folder, newFolder }) => {
      if (folder === '') return { folder: 'Choose a folder.' }
      if (folder !== NEW_FOLDER) return {}
      if (newFolder.trim() === '') return { newFolder: 'Enter a name for the new folder.' }
      return newFolder.includes('/') ? { newFolder: "Names can't contain a slash." } : {}
    },
    onSubmit: (values) => save(values, likeOf(values.like)),
  })
  const like = likeOf(form.values.like)
  const place = folderOf(folders, form.values)
  return (
    <FormDialog
      title="Filter messages like this"
      description="Creates a filter that moves similar mail to a folder."
      form={form}
      submitLabel="Create filter"
      allowUnchanged
      onClose={onClose}
    >
      <ChoiceGroup label="Messages">
        {likenesses.map(({ id, label }) => (
          <RadioChoice
            key={id}
            name="like"
            value={id}
            chosen={like.id}
            onChoose={(chosen) => form.set({ like: chosen })}
            label={<span className="break-words">{label}</span>}
          />
        ))}
      </ChoiceGroup>
      <Field label="Move to folder" error={form.errors.folder}>
        <Select {...form.choice('folder')} options={folderOptions(folders)} />
      </Field>
      {form.values.folder === NEW_FOLDER ? (
        <Field label="New folder name" error={form.errors.newFolder}>
          <Input {...form.text('newFolder')} maxLength={255} autoComplete="off" />
        </Field>
      ) : null}
      <Field label="Filter name" optional error={form.errors.name}>
        <Input {...form.text('name')} maxLength={200} placeholder={defaultName(like, place.name)} autoComplete="off" />
      </Field>
      <div className="flex flex-col gap-2.5">
        <CheckboxField {...form.flag('markRead')} label="Mark as read" />
        <ExistingChoice like={like} message={message} folders={folders} form={form} targetId={place.id} />
      </div>
      <details className="text-sm">
        <summary className="w-fit cursor-default rounded-sm text-muted hover:text-ink">Sieve script</summary>
        <CodeBlock className="mt-2" label="Sieve" code={scriptOf(like, form.values, place)} wrap />
      </details>
    </FormDialog>
  )
}

type ExistingProps = {
  like: Likeness
  message: Message
  folders: Folders
  form: Form<Values>
  targetId: string | undefined
}

/** Mail that is there already is moved as well, where a search can find it. */
const ExistingChoice = ({ like, message, folders, form, targetId }: ExistingProps) => {
  const filter = existingLike(like, message.folder_id)
  const query = { folder_id: message.folder_id, search: like.search ?? '' }
  const { data } = useQuery({ ...messagesQuery(query, 1), enabled: filter !== null })
  const here = folders.data.find(({ id }) => id === message.folder_id)
  if (!here || here.id === targetId) return null
  const count = filter === null ? 1 : data?.total
  const what = count === 1 ? 'this message' : `${count === undefined ? '' : formatCount(count, 'message', 'messages')}`
  return (
    <CheckboxField
      {...form.flag('moveExisting')}
      label={count === 1 ? `Also move ${what} now` : `Also move ${what} like this in ${folderName(here)}`}
    />
  )
}

type FolderChoice = { id: string | undefined; name: string; path: string }

const folderOf = (folders: Folders, { folder, newFolder }: Values): FolderChoice => {
  const found = folders.data.find(({ id }) => id === folder)
  return found
    ? { id: found.id, name: folderName(found), path: found.path }
    : { id: undefined, name: newFolder.trim() || (folder === '' ? '…' : 'a new folder'), path: newFolder.trim() }
}

const folderOptions = (folders: Folders) => [
  { value: '', label: 'Choose a folder' },
  ...moveTargets(folders).map(({ folder }) => ({
    value: folder.id,
    label: folderPath(folder),
  })),
  { value: NEW_FOLDER, label: 'New folder…' },
]

const MAX_NAME = 200

const defaultName = ({ label }: Likeness, folder: string): string => `Mail ${label} to ${folder}`.slice(0, MAX_NAME)

const scriptOf = (like: Likeness, { name, markRead }: Values, { name: folder, path }: FolderChoice): string =>
  writeSieve([fileRule(like, { name: name.trim() || defaultName(like, folder), folderPath: path, markRead })])

type SaveInput = { message: Message; folders: Folders; onClose: () => void }

const useSave = ({ message, folders, onClose }: SaveInput) => {
  const queryClient = useQueryClient()
  const actions = useMessageActions()
  return async (values: Values, like: Likeness): Promise<Values> => {
    const chosen = folderOf(folders, values)
    const to = chosen.id ?? (await makeFolder(values.newFolder.trim())).id
    await queryClient.refetchQueries({ queryKey: foldersQuery.queryKey })
    const name = values.name.trim() || defaultName(like, chosen.name)
    await mailboxFilterApi.create({ name, script: scriptOf(like, values, chosen), enabled: true })
    void queryClient.invalidateQueries({ queryKey: mailboxFiltersQuery.queryKey })
    toast({ tone: 'success', title: `Filter created: mail ${like.label} moves to ${chosen.name}` })
    if (values.moveExisting && to !== message.folder_id) {
      const query = existingLike(like, message.folder_id)
      void actions.move(query ? { query, total: 1 } : { ids: [message.id] }, to)
    }
    onClose()
    return values
  }
}

const makeFolder = (name: string): Promise<Folder> =>
  sendMailbox<Folder>('POST', '/api/mail/folders', { body: { name } })
