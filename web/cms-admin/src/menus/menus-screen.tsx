import type { Menu } from '@stoa/cms-model/menus.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useLeaveQuestion } from '@stoa/ui/navigation/leave-question.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { NewMenuDialog } from './menu-dialogs.tsx'
import { MenuEditor } from './menu-editor.tsx'
import { menusQuery } from './queries.ts'
import { rowsOf } from './tree.ts'

/** All menus; the address says which one is edited. */
export const MenusScreen = () => {
  const query = useQuery(menusQuery)
  const url = useUrlState()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New menu
    </Button>
  )
  return (
    <>
      <title>Menus · Stoa CMS</title>
      <PageHeader title="Menus" description="Navigation links, optionally nested" actions={create} />
      {query.data ? (
        <Menus menus={query.data.items} create={create} />
      ) : query.error ? (
        <Crash title="Couldn't load menus" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </Crash>
      ) : (
        <SkeletonText lines={8} />
      )}
      {url.get('new') ? (
        <NewMenuDialog
          onClose={() => url.set({ new: '' })}
          onCreated={({ name }) => url.set({ new: '', menu: name })}
        />
      ) : null}
    </>
  )
}

type MenusProps = { menus: readonly Menu[]; create: React.ReactNode }

const Menus = ({ menus, create }: MenusProps) => {
  const url = useUrlState()
  const guarded = useLeaveQuestion('in this menu')
  const wanted = url.get('menu')
  const chosen = menus.find(({ name }) => name === wanted) ?? menus[0]
  if (!chosen)
    return (
      <Panel flush>
        <EmptyState drawing="documents" title="No menus yet" action={create}>
          Your website loads a menu by its name, such as “main” or “footer”.
        </EmptyState>
      </Panel>
    )
  return (
    <div className="grid grid-cols-[var(--container-menu)_minmax(0,1fr)] items-start gap-6 phone:grid-cols-1 phone:gap-4">
      <MenuChoice menus={menus} chosen={chosen.name} onChoose={(name) => guarded.run(() => url.set({ menu: name }))} />
      <MenuEditor key={chosen.name} menu={chosen} onDeleted={() => url.set({ menu: '' })} />
      {guarded.dialog}
    </div>
  )
}

type MenuChoiceProps = { menus: readonly Menu[]; chosen: string; onChoose: (name: string) => void }

const MenuChoice = ({ menus, chosen, onChoose }: MenuChoiceProps) => (
  <>
    <Field label="Menu" className="desk:hidden">
      <Select value={chosen} onValue={onChoose} options={menus.map(({ name, label }) => ({ value: name, label }))} />
    </Field>
    <nav aria-label="Menus" className="flex flex-col gap-0.5 phone:hidden">
      {menus.map((menu) => (
        <button
          key={menu.name}
          type="button"
          aria-current={menu.name === chosen ? 'true' : undefined}
          onClick={() => onChoose(menu.name)}
          className={cx(
            'flex min-w-0 flex-col rounded-md px-3 py-2 text-left transition-colors',
            menu.name === chosen ? 'bg-pressed' : 'hover:bg-hover',
          )}
        >
          <span className="truncate font-medium text-ink text-sm">{menu.label}</span>
          <span className="truncate text-faint text-xs">
            <code className="font-mono">{menu.name}</code> · {formatCount(rowsOf(menu.items).length, 'item', 'items')}
          </span>
        </button>
      ))}
    </nav>
  </>
)
