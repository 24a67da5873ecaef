import { BarChart } from '../../src/display/bar-chart.tsx'
import { Specimen, Specimens } from './specimen.tsx'

const surfaces = [
  'bg-canvas',
  'bg-surface',
  'bg-raised',
  'bg-sunken',
  'bg-hover',
  'bg-pressed',
  'bg-field',
  'bg-accent',
  'bg-accent-soft',
  'bg-second',
] as const
const tones = [
  'bg-neutral-mark',
  'bg-draft-mark',
  'bg-live-mark',
  'bg-scheduled-mark',
  'bg-failed-mark',
  'bg-danger',
] as const

const shadows = ['shadow-sm', 'shadow-md', 'shadow-lg'] as const
const days = [12, 31, 24, 8, 45, 38, 19].map((received, index) => ({
  id: `${index}`,
  label: `${index + 2} Mar`,
  values: { received, sent: (received * 7) % 23, rejected: index % 3 },
}))

export const TokenSection = () => (
  <Specimens>
    <Specimen title="Surfaces">
      {surfaces.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Specimen>
    <Specimen title="Meanings">
      {tones.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Specimen>
    <Specimen title="Text" stack>
      <p className="font-semibold text-xl">Extra large 30, the title of an entry</p>
      <p className="font-semibold text-lg">Large 20, the title of a screen</p>
      <p className="font-semibold text-md">Medium 16, the title of a section or dialog</p>
      <p className="text-base">Base 14, reading text and inputs</p>
      <p className="text-muted text-sm">Small 13, tables and descriptions</p>
      <p className="text-faint text-xs">Extra small 12, help and column heads</p>
    </Specimen>
    <Specimen title="Shadows">
      {shadows.map((name) => (
        <span
          key={name}
          className={`flex h-14 w-28 items-center justify-center rounded-lg border border-line bg-raised text-faint text-xs ${name}`}
        >
          {name.replace('shadow-', '')}
        </span>
      ))}
    </Specimen>
    <Specimen title="Scripts" stack>
      <p>
        Zażółć gęślą jaźń · Þingvellir · Съешь ещё этих булок · Ξεσκεπάζω τὴν ψυχοφθόρα · Tiếng Việt · <em>slanted</em>{' '}
        <strong>strong</strong>
      </p>
    </Specimen>
    <Specimen title="Chart" stack>
      <BarChart
        label="Mail of seven days"
        series={[
          { key: 'received', label: 'Received', tone: 'accent' },
          { key: 'sent', label: 'Sent', tone: 'second' },
          { key: 'rejected', label: 'Rejected', tone: 'failed' },
        ]}
        bars={days}
      />
    </Specimen>
    <Specimen title="Figures" stack>
      <table className="w-48 text-right text-sm">
        <caption className="sr-only">Tabular figures</caption>
        <tbody>
          <tr>
            <td>1,111.11</td>
          </tr>
          <tr>
            <td>8,888.88</td>
          </tr>
        </tbody>
      </table>
      <p className="font-mono text-xs">cmsdlv_8fK2 0O 1lI {'{}'} =&gt;</p>
    </Specimen>
  </Specimens>
)

const Swatch = ({ name }: { name: string }) => (
  <span className="flex flex-col gap-1">
    <span className={`h-9 w-16 rounded-md border border-line ${name}`} />
    <span className="text-2xs text-faint">{name.replace('bg-', '')}</span>
  </span>
)
