import { cx } from '@stoa/ui/theme/cx.ts'
import { Archive, Inbox, Trash2 } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { directionOf, type Swipe, type Swipes, shownShift, swipeAt } from './swipe.ts'

type SwipeRowProps = { swipes: Swipes; onSwipe: (swipe: Swipe) => void; children: ReactNode }

type Finger = { id: number; x: number; y: number; isPushing: boolean }

const SLIDE_MS = 120

/** A row that fingers can push aside: to the right it is done, to the left it is thrown away. Keys and menus do the same. */
export const SwipeRow = ({ swipes, onSwipe, children }: SwipeRowProps) => {
  const finger = useRef<Finger>(undefined)
  // The click that ends a push is none
  const wasPushed = useRef(false)
  const row = useRef<HTMLDivElement>(null)
  const [side, setSide] = useState<'left' | 'right'>()
  const move = (event: PointerEvent) => {
    const at = finger.current
    if (!at || at.id !== event.pointerId) return
    const dx = event.clientX - at.x
    if (!at.isPushing) {
      const direction = directionOf(dx, event.clientY - at.y)
      if (direction === 'scroll') finger.current = undefined
      if (direction !== 'push') return
      at.isPushing = true
      wasPushed.current = true
      row.current?.setPointerCapture(event.pointerId)
    }
    setSide(dx > 0 ? 'right' : 'left')
    shift(row.current, shownShift(dx, swipes))
  }
  const rest = () => {
    finger.current = undefined
    shift(row.current, 0)
    setSide(undefined)
  }
  const end = async (event: PointerEvent) => {
    const at = finger.current
    if (!at?.isPushing || at.id !== event.pointerId) return rest()
    const width = row.current?.clientWidth ?? 0
    const swipe = swipeAt(event.clientX - at.x, width, swipes)
    finger.current = undefined
    if (swipe) await slideOut(row.current, event.clientX > at.x ? width : -width)
    // The action removes the row; if it fails, the row is back in its place
    if (swipe) onSwipe(swipe)
    rest()
  }
  return (
    <div className="relative h-full overflow-hidden">
      {side === undefined ? null : <Behind side={side} swipe={swipes[side]} />}
      <div
        ref={row}
        onPointerDown={(event) => {
          wasPushed.current = false
          if (event.pointerType !== 'touch' || !event.isPrimary) return
          finger.current = { id: event.pointerId, x: event.clientX, y: event.clientY, isPushing: false }
        }}
        onPointerMove={move}
        onPointerUp={(event) => void end(event)}
        onPointerCancel={rest}
        onClickCapture={(event) => {
          if (!wasPushed.current) return
          event.preventDefault()
          event.stopPropagation()
        }}
        className="relative h-full touch-pan-y bg-surface"
      >
        {children}
      </div>
    </div>
  )
}

const shift = (row: HTMLElement | null, px: number): void => {
  if (row) row.style.transform = px === 0 ? '' : `translateX(${px}px)`
}

const slideOut = async (row: HTMLElement | null, px: number): Promise<void> => {
  if (!row || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const sliding = row.animate({ transform: `translateX(${px}px)` }, { duration: SLIDE_MS, easing: 'ease-out' })
  // A row that is taken out of the page meanwhile has slid far enough
  await sliding.finished.catch(() => undefined)
}

const icons = { archive: Archive, inbox: Inbox, delete: Trash2 }

const Behind = ({ side, swipe }: { side: 'left' | 'right'; swipe: Swipe | undefined }) => {
  if (!swipe) return null
  const Icon = icons[swipe.kind]
  return (
    <div
      aria-hidden
      data-swipe={swipe.kind}
      className={cx(
        'absolute inset-0 flex items-center gap-2 px-5 font-medium text-sm',
        side === 'left' && 'flex-row-reverse',
        swipe.kind === 'delete' ? 'bg-danger text-on-danger' : 'bg-accent text-on-accent',
      )}
    >
      <Icon className="size-5" />
      {swipe.label}
    </div>
  )
}
