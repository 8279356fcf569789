// Kept where the tests can reach it; this file only puts it into the tools folder.
export { default, toFahrenheit as fahrenheit } from "./lib/temperature"
