import { Button } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { CaseUpper, Quote } from 'lucide-react'
import { SideSection } from '../../entries/editor/panels/side-section.tsx'
import { useSidePanel } from '../../side-panel.tsx'
import { editorRegistry as own } from '../editor.tsx'
import type { EntryPanelProps } from '../entry-panels.ts'
import type { FieldAction, FieldHandle } from '../field-actions.ts'
import type { EditorRegistry } from '../registry.ts'

const WordsPanel = ({ type, entry, draft }: EntryPanelProps) => (
  <SideSection title="Words">
    <p>
      {type.name}, {entry === null ? 'new' : entry.status}: {draft.values.title.split(/\s+/).filter(Boolean).length}{' '}
      words in the title, {draft.isDirty ? 'unsaved' : 'saved'}
    </p>
  </SideSection>
)

const BrokenPanel = (): never => {
  throw new Error('This panel is broken on purpose')
}

const AskDialog = ({ handle, onClose }: { handle: FieldHandle; onClose: () => void }) => {
  const { open } = useSidePanel()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ask about ${handle.field.label}`}
      footer={
        <>
          <Button
            onClick={() => {
              onClose()
              open('helper')
            }}
          >
            Open helper
          </Button>
          <Button
            onClick={() => {
              handle.setValue(`“${String(handle.value)}”`)
              onClose()
            }}
          >
            Quote
          </Button>
        </>
      }
    />
  )
}

const actions: readonly FieldAction[] = [
  {
    id: 'ask',
    label: 'Ask…',
    icon: <Quote aria-hidden />,
    order: 20,
    appliesTo: ({ type }) => type === 'textarea',
    Component: AskDialog,
  },
  {
    id: 'capitals',
    label: 'Capitals',
    icon: <CaseUpper aria-hidden />,
    order: 10,
    appliesTo: ({ type }, { readonly }) => !readonly && (type === 'text' || type === 'textarea'),
    run: async ({ value, setValue }) => setValue(String(value).toUpperCase()),
  },
]

/** The editor's own panels, and something in every list. */
export const editorRegistry: EditorRegistry = {
  entryPanels: [
    ...own.entryPanels,
    { id: 'words', label: 'Words', order: 15, applies: ({ name }) => name === 'article', Component: WordsPanel },
    { id: 'broken', label: 'Broken', order: 5, applies: ({ name }) => name === 'note', Component: BrokenPanel },
    { id: 'managers', label: 'Managers', order: 70, needs: 'settings.manage', Component: WordsPanel },
  ],
  fieldActions: actions,
}
