import { Popover as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { cx } from '../theme/cx.ts'

type HangingLayerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The element that the layer is attached to: usually the input that keeps the focus. */
  anchor: ReactNode
  className?: string
  children: ReactNode
}

/** A layer below an input, as wide as it: suggestions while typing. The focus stays in the input. */
export const HangingLayer = ({ open, onOpenChange, anchor, className, children }: HangingLayerProps) => {
  const box = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor asChild>
        <div ref={box} className="min-w-0">
          {anchor}
        </div>
      </Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          role="presentation"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && box.current?.contains(event.target)) event.preventDefault()
          }}
          onMouseDown={(event) => event.preventDefault()}
          className={cx(
            'layer-menu max-h-80 w-(--radix-popover-trigger-width) min-w-60 max-w-(--radix-popover-content-available-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 text-sm shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
