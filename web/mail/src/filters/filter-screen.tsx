export const FilterScreen = () => null
