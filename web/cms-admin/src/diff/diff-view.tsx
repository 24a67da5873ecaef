import type { Field } from '@stoa/cms-model/fields/field.ts'
import { Badge, type Tone } from '@stoa/ui/display/badge.tsx'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { type ReactNode, useId } from 'react'
import type { ChangeProps } from '../fields/field-view.ts'
import { ChangeBody } from './change-body.tsx'
import type { Change } from './changes.ts'

/** Which changes are ticked, by their paths. */
export type Ticks = {
  chosen: ReadonlySet<string>
  onChoose: (path: string, chosen: boolean) => void
  /** Paths without a checkbox, because their changes cannot be left out. */
  fixed?: ReadonlySet<string>
  /** The verb in the checkbox label, before the name of the field: "Restore". */
  verb: string
}

type DiffViewProps = {
  changes: readonly Change[]
  /** The fields of the type: names of options and of the members of lists. */
  fields?: readonly Field[] | undefined
  /** Lets people tick single changes. */
  ticks?: Ticks | undefined
  /** Content below a change, such as a note or a question. */
  below?: ((path: string) => ReactNode) | undefined
}

/** What is different, field by field, each in the way that its values are best compared. */
export const DiffView = ({ changes, fields = [], ticks, below }: DiffViewProps) => (
  <ul className="flex min-w-0 flex-col gap-3">
    {changes.map((change) => (
      <li key={change.path}>
        <ChangeCard
          change={change}
          field={fields.find(({ key }) => `data.${key}` === change.path)}
          ticks={ticks}
          below={below?.(change.path)}
        />
      </li>
    ))}
  </ul>
)

const ops: Record<Change['op'], { tone: Tone; word: string }> = {
  add: { tone: 'live', word: 'Added' },
  remove: { tone: 'failed', word: 'Removed' },
  change: { tone: 'accent', word: 'Changed' },
}

type ChangeCardProps = ChangeProps & { ticks: Ticks | undefined; below: ReactNode }

const ChangeCard = ({ change, field, ticks, below }: ChangeCardProps) => {
  const id = useId()
  const { path, label, op } = change
  return (
    <article
      aria-labelledby={id}
      className="min-w-0 overflow-clip rounded-lg border border-line bg-surface text-ink text-sm"
    >
      <header className="flex items-center gap-2 border-line border-b bg-canvas px-3 py-2">
        {ticks && !ticks.fixed?.has(path) ? (
          <Checkbox
            aria-label={`${ticks.verb} ${label}`}
            checked={ticks.chosen.has(path)}
            onChecked={(chosen) => ticks.onChoose(path, chosen)}
          />
        ) : null}
        <h3 id={id} className="min-w-0 flex-1 truncate font-medium">
          {label}
        </h3>
        <Badge tone={ops[op].tone}>{ops[op].word}</Badge>
      </header>
      <div className="min-w-0 px-3 py-2.5">
        <ChangeBody change={change} field={field} />
        {below}
      </div>
    </article>
  )
}
