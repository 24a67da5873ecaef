import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Sparkles } from 'lucide-react'
import { aiQuery } from '../assistant/queries.ts'
import type { FieldAction } from '../registry/field-actions.ts'
import { fromQuery } from '../registry/registered.ts'
import { writesSuggestions } from './writes-suggestions.ts'

const NONE: readonly FieldAction[] = []
const ACTIONS: readonly FieldAction[] = [
  {
    id: 'write-with-ai',
    label: 'Write with AI',
    order: 10,
    needs: 'content.write',
    icon: <Sparkles aria-hidden />,
    appliesTo: (field, { readonly }) => !readonly && typeOf(field).writing !== undefined,
    Component: lazyPart(() => import('./field-assistant.tsx'), 'FieldAssistant'),
  },
]

/** "Write with AI" in the menus of fields, while a provider is connected. */
export const fieldAssistant = fromQuery(aiQuery, {
  needs: 'content.write',
  items: (connection) => (writesSuggestions(connection) ? ACTIONS : NONE),
})
