import { Monitor, Moon, Sun } from 'lucide-react'
import { IconButton } from '../button/button.tsx'
import { Menu, MenuChoice } from '../layer/menu.tsx'
import { type Theme, useTheme } from './theme.ts'

const options: readonly { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
]

/** Light, dark or as the system: the choices, for use inside a menu. */
export const ThemeChoice = () => {
  const [theme, setTheme] = useTheme()
  return <MenuChoice value={theme} options={options} onValue={setTheme} />
}

/** The theme menu behind a button of its own, for screens without a user menu. */
export const ThemeSwitch = ({ align = 'end' }: { align?: 'start' | 'end' }) => {
  const [theme] = useTheme()
  const icon = options.find((option) => option.value === theme)?.icon
  return (
    <Menu align={align} trigger={<IconButton label="Theme" icon={icon} />}>
      <ThemeChoice />
    </Menu>
  )
}
