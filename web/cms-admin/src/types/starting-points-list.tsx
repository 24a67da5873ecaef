import { ArrowRight } from 'lucide-react'
import { TypeIcon } from '../type-icon.tsx'
import { type StartingPoint, startingPoints } from './starting-points.ts'

/** Types that most sites have, to begin with. */
export const StartingPoints = ({ onChoose }: { onChoose: (point: StartingPoint) => void }) => (
  <ul aria-label="Templates" className="grid grid-cols-3 gap-2 text-left phone:grid-cols-1">
    {startingPoints.map((point) => (
      <li key={point.id}>
        <button
          type="button"
          onClick={() => onChoose(point)}
          className="group flex h-full w-full min-w-0 items-start gap-2.5 rounded-lg border border-line bg-surface px-3 py-2.5 text-left shadow-sm transition-colors hover:border-line-strong hover:bg-hover"
        >
          <TypeIcon type={{ icon: point.icon, kind: 'collection' }} className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="font-medium text-ink text-sm">{point.label}</span>
            <span className="text-faint text-xs">{point.line}</span>
          </span>
          <ArrowRight aria-hidden className="mt-0.5 size-3.5 shrink-0 text-faint opacity-0 group-hover:opacity-100" />
        </button>
      </li>
    ))}
  </ul>
)
