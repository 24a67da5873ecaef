import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { Ellipsis, Rows3, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApiPanel } from './api-panel.tsx'
import { DeleteType } from './delete-type.tsx'
import { draftOf } from './draft.ts'
import { useIsNarrow } from './field-side.tsx'
import { type FieldPath, pathOfProblem, problemPrefix } from './field-tree.ts'
import { FieldsBuilder } from './fields-builder.tsx'
import { SaveBar, SaveButtons } from './save-bar.tsx'
import { showProblem } from './show-problem.ts'
import { TypeBasics, TypeMore } from './type-basics.tsx'
import type { SharedValue } from './type-in-use.ts'
import { useSaveType } from './use-save-type.tsx'
import { useTypeEditor } from './use-type-editor.ts'

type SavedTypeProps = {
  type: ContentType
  types: readonly ContentType[]
  /** While it is being deleted, nobody may ask for it again. */
  onDeleting: (deleting: boolean) => void
}

const tabs = ['fields', 'settings', 'api'] as const

/** A type that entries may already be made of. */
export const SavedType = ({ type, types, onDeleting }: SavedTypeProps) => {
  const url = useUrlState()
  const tab = tabs.find((name) => name === url.get('tab')) ?? 'fields'
  const showTab = (name: (typeof tabs)[number]) => url.set({ tab: name === 'fields' ? '' : name })
  const [open, setOpen] = useState<FieldPath>([])
  const [deleting, setDeleting] = useState(false)
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [seen, setSeen] = useState(type)
  const saving = useSaveType(seen, setSeen)
  const editor = useTypeEditor({
    initial: draftOf(type),
    write: async (read) => {
      const record = await saving.save(read)
      const next = record && draftOf(record)
      // New fields have other ids now; the open one is where it was
      if (next) setOpen((before) => pathOfProblem(next.fields, problemPrefix(values.fields, before)))
      return next
    },
    onRefused: (problems, values) => {
      showTab(problems.some(({ key }) => !key.startsWith('fields')) ? 'settings' : 'fields')
      showProblem(problems, values.fields, setOpen)
    },
  })
  const { values, set, reset, dirty } = editor
  if (type.version > seen.version && !dirty && !editor.saving) {
    setSeen(type)
    reset(draftOf(type))
  }
  const save = () => void editor.save()
  const narrow = useIsNarrow()
  const saveProps = { label: 'Save changes', saving: editor.saving, onSave: save, onDiscard: () => reset() }
  const count = (isOf: (key: string) => boolean) => {
    const found = editor.problems.filter(({ key }) => isOf(key)).length
    return found > 0 ? { count: found } : {}
  }
  return (
    <>
      <title>{`${seen.label} · Content types · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Content types', to: '/types' }]}
        title={seen.label}
        badge={<Badge>{seen.kind === 'single' ? 'Single' : 'Collection'}</Badge>}
        description={
          seen.description === '' ? <code className="font-mono text-xs">{seen.name}</code> : seen.description
        }
        actions={
          <>
            <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
              <MenuItem icon={<Trash2 />} danger disabled={dirty} onSelect={() => setDeleting(true)}>
                {dirty ? 'Delete type (save or discard first)' : 'Delete type'}
              </MenuItem>
            </Menu>
            <LinkButton to={`/content/${seen.name}`}>
              {seen.kind === 'single' ? 'Open entry' : 'Open entries'}
            </LinkButton>
            <Button variant="primary" loading={editor.saving} disabled={!dirty} onClick={save}>
              Save changes
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {editor.message === undefined ? null : <Notice tone="danger">{editor.message}</Notice>}
        {saving.shared.length > 0 ? <SharedValues type={seen} shared={saving.shared} /> : null}
        <Tabs
          label="Type settings"
          value={tab}
          onValue={showTab}
          tabs={[
            {
              value: 'fields',
              label: 'Fields',
              ...count((key) => key.startsWith('fields')),
              content: (
                <FieldsBuilder
                  fields={values.fields}
                  onFields={(change) => set((before) => ({ fields: change(before.fields) }))}
                  saved={draftOf(seen).fields}
                  problems={editor.problems}
                  open={open}
                  onOpen={setOpen}
                  types={types}
                  typeLabel={values.label}
                  empty={
                    <EmptyState icon={<Rows3 />} title="No fields yet" className="py-8">
                      Entries have a title and a slug. Add fields for text, images, dates and more.
                    </EmptyState>
                  }
                  onSave={save}
                  saveButtons={dirty ? <SaveButtons {...saveProps} /> : null}
                />
              ),
            },
            {
              value: 'settings',
              label: 'Settings',
              ...count((key) => !key.startsWith('fields')),
              content: (
                <div className="flex flex-col gap-6">
                  <TypeBasics editor={editor} isNew={false} />
                  <TypeMore editor={editor} isNew={false} />
                </div>
              ),
            },
            { value: 'api', label: 'API', content: <ApiPanel type={seen} types={types} /> },
          ]}
        />
        {dirty && (narrow || tab !== 'fields' || open.length === 0) ? <SaveBar {...saveProps} /> : null}
      </div>
      {saving.dialogs}
      <DeleteType type={seen} open={deleting} onClose={() => setDeleting(false)} onDeleting={onDeleting} />
    </>
  )
}

type SharedValuesProps = { type: Pick<ContentType, 'name'>; shared: readonly SharedValue[] }

/** Why a field cannot be unique: which entries share a value. */
const SharedValues = ({ type, shared }: SharedValuesProps) => (
  <Notice tone="danger" title="Not saved: some entries share a value in a field that must be unique">
    <ul aria-label="Shared values" className="mt-1 flex flex-col gap-1">
      {shared.map(({ key, value, entries }) => (
        <li key={`${key} ${value}`} className="min-w-0 break-words">
          <code className="font-mono text-xs">{key}</code> “{value}”:{' '}
          {entries.map((entry, index) => (
            <span key={entry.id}>
              {index > 0 ? ', ' : ''}
              <TextLink to={`/content/${type.name}/${entry.id}`}>{entry.title || 'Untitled'}</TextLink>
            </span>
          ))}
        </li>
      ))}
    </ul>
  </Notice>
)
