export const FiltersScreen = () => null
