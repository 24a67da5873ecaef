import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useMemo } from 'react'
import { TypeIcon } from '../type-icon.tsx'
import { type StartingPoint, startingPoints } from './starting-points.ts'
import { TemplatePreview } from './template-preview.tsx'

type StartingPointsProps = {
  /** The existing content types: a template may refer to them. */
  types: readonly Pick<ContentType, 'name'>[]
  onChoose: (point: StartingPoint) => void
}

/** Types that most sites have, each with the form that its entries would get. */
export const StartingPoints = ({ types, onChoose }: StartingPointsProps) => (
  <ul
    aria-label="Templates"
    className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-3 text-left phone:grid-cols-1"
  >
    {startingPoints.map((point) => (
      <li key={point.id}>
        <Template point={point} types={types} onChoose={() => onChoose(point)} />
      </li>
    ))}
  </ul>
)

type TemplateProps = Pick<StartingPointsProps, 'types'> & { point: StartingPoint; onChoose: () => void }

const Template = ({ point, types, onChoose }: TemplateProps) => {
  const { fields, kind } = useMemo(() => point.draft(types), [point, types])
  return (
    <div className="relative flex h-full min-w-0 flex-col gap-2.5 rounded-lg border border-line bg-surface p-3 shadow-sm transition-colors hover:border-line-strong hover:bg-hover">
      {/* The button covers the whole card */}
      <button
        type="button"
        onClick={onChoose}
        className="flex items-start gap-2.5 text-left after:absolute after:inset-0 after:rounded-lg"
      >
        <TypeIcon type={{ icon: point.icon, kind }} className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="font-medium text-ink text-sm">{point.label}</span>
          <span className="text-faint text-xs">{point.line}</span>
        </span>
      </button>
      <TemplatePreview label={`Fields of the template ${point.label}`} fields={fields} />
      <p className="mt-auto text-faint text-xs">
        {formatCount(fields.length, 'field', 'fields')}
        {kind === 'single' ? ', one entry' : ''}
      </p>
    </div>
  )
}
