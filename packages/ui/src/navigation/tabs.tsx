import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'
import { hasUnsavedChanges } from './leave-guard.ts'
import { useLeaveQuestion } from './leave-question.tsx'

export type Tab<V extends string> = { value: V; label: string; count?: number; disabled?: boolean; content: ReactNode }

type TabsProps<V extends string> = {
  /** Names the group for screen readers. */
  label: string
  value: V
  onValue: (value: V) => void
  tabs: readonly Tab<V>[]
  /** For tabs with forms, which lose what was typed with their tab: unsaved changes are asked about first. */
  asksBeforeLeaving?: boolean
}

/** Views of one thing. The value comes from the address, so that a tab can be shared. */
export const Tabs = <V extends string>({ label, value, onValue, tabs, asksBeforeLeaving = false }: TabsProps<V>) => {
  const question = useLeaveQuestion('on this tab')
  const list = useChosenInView(value)
  const isGuarded = (tab: Tab<V>) => asksBeforeLeaving && tab.value !== value && hasUnsavedChanges()
  const ask = (event: SyntheticEvent, tab: Tab<V>) => {
    if (tab.disabled || !isGuarded(tab)) return
    event.preventDefault()
    question.run(() => onValue(tab.value))
  }
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find((candidate) => candidate.value === next)
        if (tab) onValue(tab.value)
      }}
      className="flex min-w-0 flex-col gap-4"
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="flex gap-4 overflow-x-auto overflow-y-hidden border-line border-b [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            disabled={tab.disabled === true}
            onMouseDown={(event) => {
              if (event.button === 0 && !event.ctrlKey) ask(event, tab)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') ask(event, tab)
            }}
            // The focus chooses a tab; while that would lose something, it takes Enter or a press
            onFocus={(event) => {
              if (isGuarded(tab)) event.preventDefault()
            }}
            className="-mb-px flex h-9 shrink-0 select-none items-center gap-1.5 border-transparent border-b-2 px-0.5 font-medium text-muted text-sm outline-offset-[-2px] transition-colors hover:text-ink disabled:text-faint disabled:opacity-60 data-[state=active]:border-accent data-[state=active]:text-ink touch:h-11"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="rounded-full bg-neutral-soft px-1.5 font-normal text-muted text-xs tabular-nums">
                {tab.count}
              </span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-w-0 rounded-sm">
          {tab.content}
        </Radix.Content>
      ))}
      {question.dialog}
    </Radix.Root>
  )
}

/** On a phone the row of tabs scrolls: the chosen one is never out of sight. */
const useChosenInView = (value: string) => {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another tab
  useEffect(() => {
    const row = list.current
    if (!row) return
    const show = () => {
      const chosen = row.querySelector<HTMLElement>('[data-state=active]')
      if (chosen) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
    }
    const observer = new ResizeObserver(show)
    observer.observe(row)
    show()
    return () => observer.disconnect()
  }, [value])
  return list
}
