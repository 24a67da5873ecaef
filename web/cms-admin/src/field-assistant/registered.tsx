import { lazyPart } from '@stoa/ui/lazy-part.tsx'
import { Suspense } from 'react'
import type { FieldAction } from '../registry/field-actions.ts'
import { fromQuery } from '../registry/registered.ts'
import { aiQuery, writesSuggestions } from './ai-query.ts'

const parts = () => import('./field-assistant.tsx')
const Icon = lazyPart(parts, 'AssistantIcon')

const TEXTS: ReadonlySet<string> = new Set(['text', 'textarea', 'richtext', 'markdown', 'select'])

const NONE: readonly FieldAction[] = []
const ACTIONS: readonly FieldAction[] = [
  {
    id: 'write-with-ai',
    label: 'Write with AI',
    order: 10,
    needs: 'content.write',
    icon: (
      <Suspense fallback={<span className="size-4" />}>
        <Icon />
      </Suspense>
    ),
    appliesTo: ({ type }, { readonly }) => !readonly && TEXTS.has(type),
    Component: lazyPart(parts, 'FieldAssistant'),
  },
]

/** "Write with AI" in the menus of fields, while a provider is connected. */
export const fieldAssistant = fromQuery(aiQuery, {
  needs: 'content.write',
  items: (connection) => (writesSuggestions(connection) ? ACTIONS : NONE),
})
