import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronRight, X } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { FieldPath } from './field-tree.ts'

/** Below the token --breakpoint-lg, list and field do not fit side by side. */
const NARROW = '(width < 64rem)'

type FieldSideProps = {
  open: FieldPath
  /** The names of the parent fields. */
  names: readonly string[]
  onOpen: (path: FieldPath) => void
  onSave: () => void
  list: ReactNode
  /** Below the field, where it is beside the list. */
  footer: ReactNode
  children: ReactNode
}

/** Whether an open field lies over the list, and not beside it. */
export const useIsNarrow = (): boolean => useMediaQuery(NARROW)

/** The list, and the open field beside it, or over it where there is no room. */
export const FieldSide = ({ open, names, onOpen, onSave, list, footer, children }: FieldSideProps) => {
  const narrow = useIsNarrow()
  const close = () => onOpen([])
  const title = names.at(-1) ?? ''
  if (narrow)
    return (
      <>
        {list}
        <Dialog
          open={open.length > 0}
          onOpenChange={close}
          size="lg"
          title={title}
          description={open.length > 1 ? <Way open={open} names={names} onOpen={onOpen} /> : undefined}
          footer={
            <Button variant="primary" onClick={() => onOpen(open.slice(0, -1))}>
              Done
            </Button>
          }
        >
          <SaveKey onSave={onSave} />
          {children}
        </Dialog>
        {open.length === 0 ? children : null}
      </>
    )
  return (
    <div
      className={cx(
        'grid items-start gap-4',
        open.length > 0 && 'grid-cols-[minmax(0,1fr)_minmax(0,var(--container-field))]',
      )}
    >
      {list}
      {open.length === 0 ? (
        children
      ) : (
        <section
          aria-label={`Field ${title}`}
          className="sticky top-4 flex max-h-[calc(100dvh-13rem)] min-h-96 min-w-0 flex-col rounded-xl border border-line bg-surface shadow-sm"
        >
          <header className="flex items-start gap-2 border-line border-b py-2.5 pr-2 pl-4">
            <div className="min-w-0 flex-1 pt-0.5">
              <h2 className="truncate font-semibold text-ink text-md">{title}</h2>
              {open.length > 1 ? <Way open={open} names={names} onOpen={onOpen} /> : null}
            </div>
            <IconButton size="sm" label="Close field" icon={<X />} onClick={close} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>
          {footer ? <footer className="border-line border-t px-4 py-3">{footer}</footer> : null}
        </section>
      )}
    </div>
  )
}

/** The dialog is a layer of its own, which the screen's shortcut does not reach. */
const SaveKey = ({ onSave }: { onSave: () => void }) => {
  useShortcut({ keys: 'mod+s', description: 'Save', group: 'Forms', onPress: onSave })
  return null
}

const Way = ({ open, names, onOpen }: Pick<FieldSideProps, 'open' | 'names' | 'onOpen'>) => (
  <nav aria-label="Lists that the field is in" className="flex flex-wrap items-center gap-1 text-xs">
    {names.slice(0, -1).map((name, index) => (
      <Fragment key={open[index]}>
        <button
          type="button"
          onClick={() => onOpen(open.slice(0, index + 1))}
          className="max-w-40 truncate rounded-sm text-muted underline decoration-line-strong underline-offset-2 hover:text-ink"
        >
          {name}
        </button>
        <ChevronRight aria-hidden className="size-3 text-faint" />
      </Fragment>
    ))}
    <span className="truncate text-faint">{names.at(-1)}</span>
  </nav>
)
