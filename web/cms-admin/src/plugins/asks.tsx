import type { PluginAsks } from '@stoa/cms-model/plugins.ts'
import { asksOf } from './words.ts'

/** The permissions that a plugin has, or requests. */
export const Asks = ({ asks, none }: { asks: PluginAsks; none: string }) => {
  const groups = asksOf(asks)
  if (groups.length === 0) return <p className="text-muted text-sm">{none}</p>
  return (
    <dl className="flex flex-col gap-3 text-sm">
      {groups.map(({ label, items }) => (
        <div key={label}>
          <dt className="font-medium text-ink">{label}</dt>
          <dd>
            <ul className="list-disc pl-5 text-muted">
              {items.map((item) => (
                <li key={item} className="wrap-anywhere">
                  {item}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  )
}
