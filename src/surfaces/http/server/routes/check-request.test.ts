import { describe, expect, it } from "vitest";
import type { ApiRoute } from "../../../../core/api-schema.ts";
import { bodyProblem, queryProblem } from "./check-request.ts";

const ROUTE: ApiRoute = {
  summary: "Test",
  returns: "Nothing.",
  body: {
    extends: { properties: { name: { type: "string", maxLength: 3 } } },
    properties: {
      width: { type: "integer", minimum: 10, maximum: 500, optional: true },
      ratio: { type: "number", exclusiveMinimum: 0, optional: true },
      color: { enum: ["red", "blue"], optional: true },
      bright: { type: "boolean", optional: true },
      title: { type: "string", format: "name", optional: true },
      input: { optional: true },
    },
  },
  example: '{ "name": "x" }',
  hint: "Names are short.",
  query: { properties: { limit: { type: "integer", minimum: 1, maximum: 9, optional: true } } },
};

describe("the check of a body", () => {
  it.each([
    [{ name: "abc", width: 10, ratio: 0.1, color: "red", bright: false, title: "t", input: null }, undefined],
    [[], 'The body must be an object: { "name": "x" }.'],
    [null, 'The body must be an object: { "name": "x" }.'],
    [undefined, '"name" is missing. Send { "name": "x" }.'],
    [{ name: 1 }, '"name" must be a string.'],
    [{ name: "abcd" }, '"name" must have at most 3 characters.'],
    [{ name: "a", width: 9 }, '"width" must be an integer from 10 to 500.'],
    [{ name: "a", width: 10.5 }, '"width" must be an integer from 10 to 500.'],
    [{ name: "a", ratio: 0 }, '"ratio" must be a number above 0.'],
    [{ name: "a", ratio: "1" }, '"ratio" must be a number above 0.'],
    [{ name: "a", color: "green" }, '"color" must be one of "red", "blue".'],
    [{ name: "a", bright: 1 }, '"bright" must be true or false.'],
    [{ name: "a", title: "a\nb" }, '"title" must be a string of 1 to 200 characters, without control characters.'],
    [
      { name: "a", toString: 1 },
      'There is no field "toString". Names are short. Fields: name, width, ratio, color, bright, title, input.',
    ],
  ])("%j: %s", (body, problem) => {
    expect(bodyProblem(body, ROUTE)).toBe(problem);
  });
});

describe("the check of a query", () => {
  it.each([
    ["", undefined],
    ["limit=9&token=x&token=y", undefined],
    ["limit=10", 'The query parameter "limit" must be an integer from 1 to 9.'],
    ["limit=1&limit=2", 'The query parameter "limit" is given more than once. Give it once.'],
    ["page=1", 'There is no query parameter "page". Parameters: limit.'],
  ])("%s: %s", (query, problem) => {
    expect(queryProblem(new URLSearchParams(query), ROUTE)).toBe(problem);
  });
});
