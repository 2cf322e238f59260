// The list of topics: its keys.
import "./list-bar.js";
import { Rows } from "./rows.js";

new Rows(document.querySelector("[data-topics]"));
