import type { ReactNode } from 'react'
import { TextLink } from '../../src/navigation/link.tsx'
import { Brand } from '../../src/shell/brand.tsx'
import { ThemeSwitch } from '../../src/theme/theme-switch.tsx'
import { ButtonSection, IdentitySection } from './button-section.tsx'
import { DataSection } from './data-section.tsx'
import { FeedbackSection } from './feedback-section.tsx'
import { FieldSection } from './field-section.tsx'
import { FormSection } from './form-section.tsx'
import { LayerSection } from './layer-section.tsx'
import { TableSection } from './table-section.tsx'
import { TokenSection } from './token-section.tsx'

const sections: readonly { id: string; title: string; content: ReactNode }[] = [
  { id: 'tokens', title: 'Tokens', content: <TokenSection /> },
  { id: 'buttons', title: 'Buttons', content: <ButtonSection /> },
  { id: 'identity', title: 'Badges, people, time', content: <IdentitySection /> },
  { id: 'fields', title: 'Fields', content: <FieldSection /> },
  { id: 'forms', title: 'Forms', content: <FormSection /> },
  { id: 'layers', title: 'Dialogs, menus, palette, tabs', content: <LayerSection /> },
  { id: 'feedback', title: 'Notices, toasts, progress, loading', content: <FeedbackSection /> },
  { id: 'data', title: 'Code and secrets', content: <DataSection /> },
  { id: 'tables', title: 'Tables', content: <TableSection /> },
]

// `?part=layers` shows one section only: a page that opens quickly
const part = new URLSearchParams(location.search).get('part')
const shown = sections.filter(({ id }) => part === null || part === id)

/** Every component in every state, on one page. */
export const Components = () => (
  <div data-page="surface" className="min-h-dvh bg-surface">
    <header className="layer-bar sticky top-0 flex items-center justify-between border-line border-b bg-canvas px-4 py-2 desk:px-8">
      <Brand product="components" />
      <ThemeSwitch />
    </header>
    <main className="mx-auto flex max-w-page flex-col gap-14 px-4 pt-8 pb-24 desk:px-8">
      <div className="flex flex-col gap-2">
        <h1 className="font-semibold text-lg">Components</h1>
        <p className="max-w-prose text-muted">
          What the screens are made of. As whole pages: <TextLink to="shell">app shell</TextLink>,{' '}
          <TextLink to="sign-in">sign in</TextLink>.
        </p>
      </div>
      {shown.map((section) => (
        <section
          key={section.id}
          id={section.id}
          aria-labelledby={`${section.id}-title`}
          className="flex flex-col gap-5"
        >
          <h2 id={`${section.id}-title`} className="border-line border-b pb-2 font-semibold text-md">
            {section.title}
          </h2>
          {section.content}
        </section>
      ))}
    </main>
  </div>
)
