import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { Layer, useLayer } from './layers.ts'

type SideSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** One button of this package. */
  trigger: ReactNode
  title: ReactNode
  closeLabel: string
  children: ReactNode
}

/** A layer that slides in from the left: the navigation of a phone. */
export const SideSheet = ({ open, onOpenChange, trigger, ...rest }: SideSheetProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Overlay className="layer-overlay fixed inset-0 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
      <Radix.Content
        aria-describedby={undefined}
        className="layer-dialog fixed inset-y-0 left-0 flex w-72 max-w-[85vw] flex-col gap-3 border-line border-r bg-canvas py-3 shadow-lg outline-none data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet-in"
      >
        <Sheet {...rest} onClose={() => onOpenChange(false)} />
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

type SheetProps = Pick<SideSheetProps, 'title' | 'closeLabel' | 'children'> & { onClose: () => void }

const Sheet = ({ title, closeLabel, children, onClose }: SheetProps) => {
  const layer = useLayer()
  return (
    <Layer value={layer}>
      <div className="flex items-center gap-2 pr-2 pl-4">
        <Radix.Title className="min-w-0 flex-1 truncate font-semibold text-md">{title}</Radix.Title>
        <IconButton label={closeLabel} icon={<X />} onClick={onClose} />
      </div>
      {children}
    </Layer>
  )
}
