import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useCarried } from '../entries/session/carried.ts'
import { useEditWork } from './edit-work.ts'
import { pagePath, SITE_PATH, websiteQuery } from './pages.ts'

export type Mode = 'page' | 'fields'

type ModeSwitchProps =
  | { mode: Mode /** Absent where there is no room for the page. */; onMode?: ((mode: Mode) => void) | undefined }
  | { mode: 'site' }

/** Between the page, its fields and what all pages share. Nothing is lost on the way. */
export const ModeSwitch = (props: ModeSwitchProps) => {
  const { site, lastPage } = useEditWork()
  const carried = useCarried()
  const { data: website } = useQuery(websiteQuery)
  const isSiteUnsaved = useSyncExternalStore(site.subscribe, site.isUnsaved)
  const unsaved = useSyncExternalStore(carried?.subscribe ?? never, carried?.unsaved ?? none)
  if (props.mode === 'site') {
    const page = lastPage()
    if (page === undefined) return null
    return (
      <Switch>
        <Way to={pagePath(page)} label="Page" isUnsaved={unsaved.length > 0} />
        <Here label="Site" />
      </Switch>
    )
  }
  const { mode, onMode } = props
  const hasSite = typeof website?.previewUrl === 'string'
  if (!onMode && !hasSite) return null
  return (
    <Switch>
      {onMode ? (
        MODES.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={mode === value}
            onClick={() => onMode(value)}
            className={PLACE}
          >
            {label}
          </button>
        ))
      ) : (
        <Here label="Fields" />
      )}
      {hasSite ? <Way to={SITE_PATH} label="Site" isUnsaved={isSiteUnsaved} /> : null}
    </Switch>
  )
}

const MODES = [
  { value: 'page', label: 'Page' },
  { value: 'fields', label: 'Fields' },
] as const

const never = () => () => undefined
const NONE: readonly string[] = []
const none = () => NONE

const PLACE =
  'flex h-7 items-center justify-center gap-1.5 phone:h-9 phone:flex-1 rounded-sm px-2.5 text-muted text-sm leading-7 hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-sm aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-sm'

const Switch = ({ children }: { children: React.ReactNode }) => (
  <fieldset aria-label="Edit" className="flex rounded-md bg-sunken p-0.5 phone:flex-1">
    {children}
  </fieldset>
)

const Here = ({ label }: { label: string }) => (
  <span aria-current="page" className={PLACE}>
    {label}
  </span>
)

type WayProps = { to: string; label: string; isUnsaved: boolean }

const Way = ({ to, label, isUnsaved }: WayProps) => {
  const { stack } = useEditWork()
  return (
    <AppLink
      to={to}
      className={PLACE}
      aria-label={isUnsaved ? `${label}, unsaved changes` : undefined}
      onClick={stack.stop}
    >
      {label}
      {isUnsaved ? <span aria-hidden className="size-1.5 rounded-full bg-draft-mark" /> : null}
    </AppLink>
  )
}
