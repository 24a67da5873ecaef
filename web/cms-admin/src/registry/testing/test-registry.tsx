import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { Gauge, MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { settingsQuery } from '../../settings/queries.ts'
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

/** The shell's own, and something in every list. */
export const registry: Registry = {
  navigation: [...own.navigation, reports, connected],
  sidePanels: panels,
}
