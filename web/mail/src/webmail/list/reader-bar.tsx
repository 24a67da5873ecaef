import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react'

type ReaderBarProps = {
  /** The name of the list that the back link opens. */
  name: string
  position?: { index: number; total: number } | undefined
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onBack: () => void
}

/** Above a message that covers its list: the way back, and to its neighbors. */
export const ReaderBar = ({ name, position, onPrevious, onNext, onBack }: ReaderBarProps) => (
  <nav aria-label="Messages" className="flex h-11 shrink-0 items-center gap-1 border-line border-b bg-surface px-2">
    <Button variant="ghost" size="sm" icon={<ArrowLeft />} onClick={onBack} className="min-w-0 shrink!">
      <span className="truncate">{name}</span>
    </Button>
    <span className="ml-auto text-muted text-xs tabular-nums">
      {position ? `${formatNumber(position.index + 1)} of ${formatNumber(position.total)}` : ''}
    </span>
    <IconButton
      size="sm"
      label="Previous message"
      shortcut="k"
      icon={<ChevronUp />}
      disabled={!onPrevious}
      onClick={onPrevious}
    />
    <IconButton
      size="sm"
      label="Next message"
      shortcut="j"
      icon={<ChevronDown />}
      disabled={!onNext}
      onClick={onNext}
    />
  </nav>
)
