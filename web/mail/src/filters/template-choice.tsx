import { Forward, type LucideIcon, Newspaper, Paperclip, PenLine, Plane } from 'lucide-react'
import { templates } from './templates.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  newsletters: Newspaper,
  forward: Forward,
  large: Paperclip,
  away: Plane,
}

const choices = [
  ...templates,
  { id: 'empty', title: 'Start from scratch', description: 'Build your own rules, or write Sieve.' },
]

/** The templates for a new filter. */
export const TemplateChoice = ({ onChoose }: { onChoose: (id: string) => void }) => (
  <ul aria-label="Templates" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
    {choices.map(({ id, title, description }) => {
      const Icon = icons[id] ?? PenLine
      return (
        <li key={id}>
          <button
            type="button"
            onClick={() => onChoose(id)}
            className="flex h-full w-full items-start gap-3 rounded-xl border border-line bg-surface p-4 text-left shadow-sm transition-colors hover:border-line-strong hover:bg-hover"
          >
            <span className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-canvas text-muted">
              <Icon aria-hidden className="size-4.5" />
            </span>
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="font-medium text-ink text-sm">{title}</span>
              <span className="text-muted text-xs">{description}</span>
            </span>
          </button>
        </li>
      )
    })}
  </ul>
)
