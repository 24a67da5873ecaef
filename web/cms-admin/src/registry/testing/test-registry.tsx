import { Button } from '@stoa/ui/button.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { AppLink } from '@stoa/ui/link.tsx'
import { Textarea } from '@stoa/ui/textarea.tsx'
import { CaseUpper, Gauge, MessageCircle, Quote } from 'lucide-react'
import { useState } from 'react'
import { SideSection } from '../../entries/editor/side-section.tsx'
import { settingsQuery } from '../../settings/queries.ts'
import { useSidePanel } from '../../side-panel.tsx'
import type { EntryPanelProps } from '../entry-panels.ts'
import type { FieldAction, FieldHandle } from '../field-actions.ts'
import { registry as own } from '../index.tsx'
import type { NavigationItem } from '../navigation.ts'
import { fromQuery } from '../registered.ts'
import type { Registry } from '../registry.ts'
import type { SidePanel } from '../side-panels.ts'

const reports: NavigationItem = {
  id: 'reports',
  to: '/reports',
  label: 'Reports',
  group: 'content',
  order: 115,
  needs: 'settings.manage',
  badge: 3,
  icon: <Gauge aria-hidden />,
}

/** There once the site is called so, as a feature whose provider has to be connected first. */
const connected = fromQuery(settingsQuery, {
  needs: 'content.read',
  items: ({ title }): readonly NavigationItem[] =>
    title === 'Connected'
      ? [{ ...reports, id: 'provider', to: '/provider', label: 'Provider', needs: 'content.read' }]
      : [],
})

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

const HelperPanel = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('')
  return (
    <div className="flex flex-col gap-3">
      <Field label="Question">
        <Textarea value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <AppLink to="/media">To the media</AppLink>
      <Button onClick={onClose}>Done</Button>
    </div>
  )
}

const panels: readonly SidePanel[] = [
  {
    id: 'helper',
    label: 'Helper',
    icon: <MessageCircle aria-hidden />,
    order: 10,
    shortcut: 'mod+j',
    Component: HelperPanel,
  },
  {
    id: 'owners',
    label: 'Owners only',
    icon: <Gauge aria-hidden />,
    order: 5,
    needs: 'users.manage',
    Component: HelperPanel,
  },
]

/** The admin's own, and something in every list. */
export const registry: Registry = {
  navigation: [...own.navigation, reports, connected],
  entryPanels: [
    ...own.entryPanels,
    { id: 'words', label: 'Words', order: 15, applies: ({ name }) => name === 'article', Component: WordsPanel },
    { id: 'broken', label: 'Broken', order: 5, applies: ({ name }) => name === 'note', Component: BrokenPanel },
    { id: 'managers', label: 'Managers', order: 70, needs: 'settings.manage', Component: WordsPanel },
  ],
  fieldActions: actions,
  sidePanels: panels,
}
